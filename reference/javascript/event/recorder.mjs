// The operation event.record_calls.

import {EVENT_RECORD_CALLS} from '../shared/form_data.mjs';
import {judgeCall, shownId} from './checks.mjs';
import {MESSAGES, TOOL_ERROR} from './errors.mjs';
import {previewHash} from './hashing.mjs';
import {compactText} from '../shared/canonical_json.mjs';
import {measure} from './metrics.mjs';
import {isBad} from '../shared/forms.mjs';
import {own} from '../shared/json_text.mjs';

const MAX_LATENCY = Number.MAX_SAFE_INTEGER;
const CANNED = '{"ok":true}';

/** `{result}` or `{error}`: what a runtime logs, counts and shows of the calls of one request. */
export function recordCalls(input, {clock}) {
  if (isBad(EVENT_RECORD_CALLS, input)) return {error: {code: 'invalid_input'}};
  const {request_id: requestId, key, limits} = input;
  const tools = {names: new Set(input.labels ?? input.effective), closed: input.observe !== true};
  const readings = clock[Symbol.iterator]();
  const [events, outputs] = [[], []];
  for (const [seq, entry] of input.calls.entries()) { // EVT-013
    const call = judgeCall(entry, tools, limits?.payload_bytes);
    const outcome = call.failed === null ? entry.outcome : undefined; // EVT-021
    const head = {request_id: requestId, seq, tool: call.label};
    const {tool_call_id: given} = entry;
    const id = given === undefined ? {} : {tool_call_id: shownId(given, call)};
    const latency = latencyOf(call, outcome, readings);
    if (latency === null) return {error: {code: 'env_exhausted'}}; // EVT-027
    const end = {...statusOf(call, outcome), ...latency};
    events.push({type: 'ToolCallPlanned', ...head, ...hashOf(call.args, key),
      ...pick(entry, 'args_schema_version'), ...id});
    events.push({type: 'ToolCallResult', ...head, ...end, ...id});
    outputs.push({seq, channel: 'commentary', content: contentOf(outcome, end)}); // EVT-048
  }
  const results = events.filter((event) => event.type === 'ToolCallResult');
  return {result: {events, metrics: measure(results), outputs}};
}

/** The one member of that name, where the object has it. */
function pick(object, name) {
  return Object.hasOwn(object, name) ? {[name]: object[name]} : {};
}

/** The members of a Planned that say what may be known of the arguments (EVT-013). */
function hashOf(args, key) {
  const hash = {args_preview_hash: args === null ? null : previewHash(args, key)};
  if (key === undefined) return hash;
  return {...hash, args_hash_algorithm: 'hmac-sha256', args_hash_key_id: key.id};
}

/** The status of a Result, and what goes with an error (EVT-021). */
function statusOf(call, outcome) {
  const isOk = call.failed === null && (outcome === undefined || outcome.status === 'ok');
  if (isOk) return {status: 'ok'};
  const given = own(outcome ?? {}, 'error_type');
  const type = call.failed ?? (MESSAGES.has(given) ? given : TOOL_ERROR);
  return {status: 'error', error_type: type, message: MESSAGES.get(type)};
}

/** `{latency_ms}` or `{}`; null when the clock has no reading left (EVT-021, EVT-027). */
function latencyOf(call, outcome, readings) {
  if (call.failed !== null) return {};
  if (outcome === undefined) {
    const [start, end] = [readings.next(), readings.next()];
    return end.done ? null : latency(Math.max(0, end.value - start.value)); // EVT-021
  }
  const given = own(outcome, 'latency_ms');
  return typeof given === 'number' && given >= 0 ? latency(given) : {};
}

/** A latency that is not negative, where it is within the bound. */
function latency(ms) {
  return ms <= MAX_LATENCY ? {latency_ms: ms} : {};
}

/** What is shown of a call (EVT-048). */
function contentOf(outcome, end) {
  const content = own(outcome ?? {}, 'content') ?? null;
  if (content !== null) return typeof content === 'string' ? content : compactText(content);
  return end.status === 'ok' ? CANNED : end.message;
}
