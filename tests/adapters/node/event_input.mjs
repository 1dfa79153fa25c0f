// Whether the input of event.record_calls is one (EVT-012).

import {hasMembers, isStrings} from './capability_input.mjs';
import {isKey} from './event_key.mjs';
import {isTooDeep} from './json_text.mjs';

const IN_ALL = ['tool_call_id', 'args_schema_version', 'outcome'];
const IN_OUTCOME = ['latency_ms', 'error_type', 'content'];

export function isBadRecord(input) {
  if (!hasMembers(input, ['request_id', 'calls', 'effective'], ['limits', 'key'])) return true;
  const {request_id: id, calls, effective} = input;
  if (typeof id !== 'string' || !isStrings(effective)) return true;
  if (Object.hasOwn(input, 'limits') && !isLimits(input.limits)) return true;
  if (Object.hasOwn(input, 'key') && !isKey(input.key)) return true;
  return !Array.isArray(calls) || !calls.every(isEntry) || isTooDeep(input);
}

function isLimits(limits) {
  if (!hasMembers(limits, ['payload_bytes'])) return false;
  return Number.isInteger(limits.payload_bytes) && limits.payload_bytes >= 1;
}

function isEntry(entry) {
  const isPayload = hasMembers(entry, ['payload'], IN_ALL);
  if (!isPayload && !hasMembers(entry, ['name', 'arguments_json'], IN_ALL)) return false;
  const {payload = '', name = null, arguments_json: text = null} = entry;
  const {tool_call_id: id = '', args_schema_version: version = ''} = entry;
  return [payload, id, version, name ?? '', text ?? ''].every((each) => typeof each === 'string') &&
    (!Object.hasOwn(entry, 'outcome') || hasMembers(entry.outcome, ['status'], IN_OUTCOME));
}
