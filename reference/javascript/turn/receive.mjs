// The operation turn.receive (TRN-020 to TRN-037).

import {CUT_OFF, TOO_LARGE, UNREADABLE} from '../event/errors.mjs';
import {recordCalls} from '../event/recorder.mjs';
import {pick} from '../shared/json_object.mjs';
import {isObject} from '../shared/json_text.mjs';
import {Findings} from '../shared/findings.mjs';
import {lacksOrigin} from '../payload/profile.mjs';
import {sentName} from '../payload/sent_name.mjs';
import {fillIds, usableIds} from './ids.mjs';
import {readMessage} from './message.mjs';
import {isBadReceive} from './receive_input.mjs';
import {callsNone, fitsPlan, runtimeName} from './sent.mjs';

const NO_NAME = 'invalid_tool_call';

/** `{result}` or `{error}`: what of a message is shown, run, answered and stored. */
export function receive(input, {ids: given, isSent = false} = {}) {
  if (isBadReceive(input, isSent)) return {error: {code: 'invalid_input'}};
  if (lacksOrigin(input)) return {error: {code: 'origin_missing'}}; // TRN-034
  if (!fitsPlan(input)) return {error: {code: 'plan_mismatch'}};
  const read = readMessage(input);
  const {calls} = read;
  const own = usableIds(calls.map(({element}) => element));
  const ids = fillIds(own, given, usableIds(input.message.tool_calls ?? []));
  if (ids === null) return {error: {code: 'env_exhausted'}};
  const names = calls.map(({name}) => runtimeName(name, input.aliases));
  const events = record(input, calls, names, ids);
  const [dispatch, answers] = [[], []];
  for (const [seq, call] of calls.entries()) { // TRN-024
    const {error_type: failed} = events[2 * seq + 1];
    const head = {seq, id: ids[seq]};
    if (failed !== undefined) answers.push({...head, error_type: failed}); // TRN-024
    else dispatch.push({...head, name: names[seq], arguments_json: call.text}); // TRN-024
  }
  return {result: {
    content: read.content,
    reasoning: read.reasoning,
    calls: stored(calls, ids, input.disposition),
    dispatch,
    answers,
    planned: events.filter((_, n) => n % 2 === 0),
    unreadable: answers.filter(isUnreadable).length, // TRN-024
    removed: read.removed,
    ...carried(input, read), // TRN-035
    findings: report(read, own),
  }};
}

function carried({message, profile = {}}, {refusal, opaque}) {
  return {
    ...(message.truncated === true ? {truncated: true} : {}),
    ...(refusal === '' ? {} : {refusal}),
    ...(Object.hasOwn(profile, 'origin') ? {origin: profile.origin} : {}),
    ...(Object.keys(opaque).length > 0 ? {opaque} : {}),
  };
}

function isUnreadable({error_type: type}) {
  return [TOO_LARGE, UNREADABLE, CUT_OFF].includes(type);
}

/**
 * A Planned and a Result for each call (TRN-024). With an outcome none of them reads a clock, and
 * an error is one of a failed check.
 */
function record(input, calls, names, ids) {
  return recordCalls({
    ...pick(input, ['request_id', 'key']),
    effective: callsNone(input.request) ? [] : input.plan.effective,
    calls: calls.map(({text, unread}, seq) => ({
      name: names[seq],
      arguments_json: text,
      ...(unread === undefined ? {} : {error_type: unread}),
      tool_call_id: ids[seq],
      outcome: {status: 'ok'},
    })),
  }, {clock: []}).result.events;
}

/** The calls as they enter the history (TRN-024). */
function stored(calls, ids, disposition) {
  return calls.flatMap(({name, text, opaque = {}}, seq) => {
    const isInvalid = name === null || text === null;
    if (isInvalid && disposition === 'skip') return [];
    return [{
      seq,
      id: ids[seq],
      name: name === null ? NO_NAME : sentName(name, 'any'),
      arguments_json: isInvalid ? '{}' : text,
      ...(Object.keys(opaque).length > 0 ? {opaque} : {}),
    }];
  });
}

/** The findings in their order (TRN-030). */
function report({calls, isUnsolicited, rejectedIn, lost}, ids) {
  const findings = new Findings();
  const at = ['message', 'tool_calls'];
  for (const [seq, {element, findings: found = []}] of calls.entries()) {
    findings.addChecked([...at, seq], found);
    const isReplaced = isObject(element) && ids[seq] === null;
    if (isReplaced) findings.add('id_replaced', [...at, seq, 'id']);
  }
  if (isUnsolicited) findings.add('native_calls_unsolicited', at);
  if (rejectedIn !== null) findings.add('text_call_rejected', ['message', rejectedIn]);
  for (const [code, path] of lost) findings.add(code, path);
  return findings.sorted();
}
