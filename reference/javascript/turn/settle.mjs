// The operation turn.settle (TRN-040 to TRN-047).

import {isBlankText} from '../shared/characters.mjs';
import {compactText} from '../shared/canonical_json.mjs';
import {measure} from '../event/metrics.mjs';
import {recordCalls} from '../event/recorder.mjs';
import {own} from '../shared/json_text.mjs';
import {Findings} from '../shared/findings.mjs';
import {flagsOf} from '../payload/profile.mjs';
import {MARK} from '../shared/envelope.mjs';
import {isMediaPart} from '../payload/contents.mjs';
import {isInParts, shownText, storedParts} from './parts.mjs';
import {isBadSettle} from './settle_input.mjs';

const ABORTED = {status: 'error', error_type: 'tool_aborted'};
const ANY_TOOL = 'tool'; // so that no call has a failed check, whatever its tool

/** `{result}` or `{error}`: what became of each call, and what is stored. */
export function settle(input) {
  if (isBadSettle(input)) return {error: {code: 'invalid_input'}};
  const {received} = input;
  const {results, outputs} = record(received.planned, outcomesOf(input));
  const {stored, findings} = keepParts(input);
  return {result: {
    events: results,
    metrics: measure(results), // TRN-041
    outputs,
    history: historyOf(received, outputs.map(({content}, seq) => told(stored.get(seq) ?? content, results[seq].message))),
    ...(findings.length > 0 ? {findings} : {}), // TRN-047
  }};
}

/** By seq the parts that are stored of results, and a finding for each that is not. */
function keepParts(input) {
  const flags = flagsOf(input);
  const stored = new Map();
  const findings = new Findings();
  for (const [at, {seq, content}] of input.outcomes.entries()) {
    if (!isInParts(content)) continue;
    const kept = storedParts(content, flags);
    if (flags.result_content !== 'string' || kept.some(isMediaPart)) stored.set(seq, kept);
    for (const [number, part] of kept.entries()) {
      const place = ['outcomes', at, 'content', number];
      if (isMediaPart(content[number]) && part !== content[number]) findings.add('media_removed', place);
    }
  }
  return {stored, findings: findings.sorted()};
}

/** By seq the outcome of each call (turn: outcome of a call). */
function outcomesOf({received: {dispatch, answers}, outcomes}) {
  const given = new Map(outcomes.map((outcome) => [outcome.seq, judged(outcome)]));
  return new Map([
    ...dispatch.map(({seq}) => [seq, given.get(seq) ?? ABORTED]),
    ...answers.map(({seq, error_type: type}) => [seq, {status: 'error', error_type: type}]),
  ]);
}

/**
 * An outcome of the same effect whose parts are scalars. An input of event.record_calls has them
 * one level deeper, so that a depth which is allowed here could be too deep there.
 */
function judged(outcome) {
  const given = own(outcome, 'content') ?? null;
  const content = isInParts(given) ? shownText(given) : given;
  const isText = content === null || typeof content === 'string';
  return {
    status: outcome.status === 'ok' ? 'ok' : 'error',
    latency_ms: scalar(own(outcome, 'latency_ms')),
    error_type: scalar(own(outcome, 'error_type')),
    content: isText ? content : compactText(content),
  };
}

function scalar(value) {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

/** The Results of the calls, each with the tool of its Planned, and the outputs (TRN-041). */
function record(planned, outcomes) {
  const {events, outputs} = recordCalls({
    request_id: planned[0]?.request_id ?? '',
    effective: [ANY_TOOL],
    calls: planned.map(({tool_call_id: id}, seq) => ({
      name: ANY_TOOL, arguments_json: '{}', tool_call_id: id, outcome: outcomes.get(seq),
    })),
  }, {clock: []}).result;
  const results = events.filter((_, n) => n % 2 === 1);
  return {results: results.map((result, seq) => ({...result, tool: planned[seq].tool})), outputs};
}

/** The messages that are stored (TRN-043). */
function historyOf(received, contents) {
  const {calls, opaque: {members = {}} = {}, origin} = received;
  const words = wordsOf(received);
  if (calls.length === 0 && (words === null || isBlankText(words))) return [];
  const message = {
    role: 'assistant',
    content: words,
    ...members,
    ...(calls.length === 0 ? {} : {tool_calls: calls.map(sentCall)}),
    ...(origin === undefined ? {} : {[MARK]: origin}),
  };
  const results = calls.map(({seq, id}) =>
    ({role: 'tool', tool_call_id: id, content: contents[seq]}));
  return [message, ...results];
}

export const RESULT_NOT_JSON = 'The tool was run, and its result cannot be written as JSON.';

/** What is stored of a result; one that failed begins with why (turn: stored result). */
function told(content, failure) {
  if (failure === undefined || content === failure || content === RESULT_NOT_JSON) return content;
  return Array.isArray(content) ? [{type: 'text', text: failure}, ...content] : `${failure}\n${content}`;
}

/** What was said (turn: stored words). */
function wordsOf({content, refusal = ''}) {
  const hasContent = content !== null && !isBlankText(content);
  return hasContent || refusal === '' ? content : refusal;
}

function sentCall({id, name, arguments_json: text, opaque: {call, function: target} = {}}) {
  return {id, type: 'function', ...call, function: {name, arguments: text, ...target}};
}
