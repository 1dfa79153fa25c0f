// What is wrong with one element of `events` (event: fault of an event).

import {hasMembers} from '../shared/envelope.mjs';
import {wrongMembers} from './values.mjs';
import {isObject, own} from '../shared/json_text.mjs';

export const PLANNED = 'ToolCallPlanned';
export const RESULT = 'ToolCallResult';

const IN_ALL = ['type', 'request_id', 'seq', 'tool'];
const OF_KEY = ['args_hash_algorithm', 'args_hash_key_id'];

/** The places of the faults: names of members, and null for the element itself. */
export function faultsOf(event) {
  if (!isObject(event) || !Object.hasOwn(event, 'type')) return [null];
  if (event.type !== PLANNED && event.type !== RESULT) return ['type'];
  const isFormed = event.type === PLANNED ? isPlannedForm(event) : isResultForm(event);
  return [...(isFormed ? [] : [null]), ...wrongMembers(event)];
}

/** Whether an element is a well-formed event. */
export function isWellFormedEvent(event) {
  return faultsOf(event).length === 0;
}

/** Whether a Planned has the members of an event; those of a key come together. */
function isPlannedForm(event) {
  const required = [...IN_ALL, 'args_preview_hash'];
  const optional = ['args_schema_version', 'tool_call_id'];
  return hasMembers(event, required, optional) ||
    hasMembers(event, [...required, ...OF_KEY], optional);
}

/** Whether a Result has the members of an event; whatever is not ok says what went wrong. */
function isResultForm(event) {
  const ofError = own(event, 'status') === 'ok' ? [] : ['error_type', 'message'];
  return hasMembers(event, [...IN_ALL, 'status', ...ofError], ['latency_ms', 'tool_call_id']);
}
