// Whether the input of event.record_calls is one (EVT-012).

import {hasMembers, isLimits, isStrings, namesItsTools} from '../shared/envelope.mjs';
import {ECHOED, TOO_LARGE, UNREADABLE} from './errors.mjs';
import {isKey} from './key.mjs';
import {isTooDeep} from '../shared/json_text.mjs';

const IN_ALL = ['tool_call_id', 'args_schema_version', 'outcome'];
const OPTIONAL = ['effective', 'observe', 'labels', 'limits', 'key'];
const IN_OUTCOME = ['latency_ms', 'error_type', 'content'];

export function isBadRecord(input) {
  if (!hasMembers(input, ['request_id', 'calls'], OPTIONAL) || !namesItsTools(input)) return true;
  const {request_id: id, calls, effective = [], observe = true, labels = []} = input;
  if (typeof id !== 'string' || observe !== true) return true;
  if (!isStrings(effective) || !isStrings(labels)) return true;
  if (Object.hasOwn(input, 'limits') && !isLimits(input.limits)) return true;
  if (Object.hasOwn(input, 'key') && !isKey(input.key)) return true;
  return !Array.isArray(calls) || !calls.every(isEntry) || isTooDeep(input);
}

/** Whether an entry has the members of a call that somebody else could not read, and says why. */
function isUnread(entry) {
  return hasMembers(entry, ['name', 'arguments_json', 'error_type'], IN_ALL) &&
    entry.arguments_json === null && [TOO_LARGE, UNREADABLE, ECHOED].includes(entry.error_type);
}

function isEntry(entry) {
  const isPayload = hasMembers(entry, ['payload'], IN_ALL);
  const isRead = hasMembers(entry, ['name', 'arguments_json'], IN_ALL);
  if (!isPayload && !isRead && !isUnread(entry)) return false;
  const {payload = '', name = null, arguments_json: text = null} = entry;
  const {tool_call_id: id = '', args_schema_version: version = ''} = entry;
  return [payload, id, version, name ?? '', text ?? ''].every((each) => typeof each === 'string') &&
    (!Object.hasOwn(entry, 'outcome') || hasMembers(entry.outcome, ['status'], IN_OUTCOME));
}
