// The operation event.to_cloudevents (EVT-071 to EVT-077).

import {hasMembers} from '../shared/envelope.mjs';
import {PLANNED, isWellFormedEvent} from './faults.mjs';
import {isTimestamp} from './times.mjs';

// Control characters, noncharacters and surrogates outside a pair (event: attribute text).
const NOT_IN_TEXT = /[\u0000-\u001f\u007f-\u009f\p{Noncharacter_Code_Point}\p{Surrogate}]/u;
const NOT_IN_SOURCE = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})/;
const PART = /^[A-Za-z0-9_-]+$/; // of a type prefix

/** `{result}` or `{error}`: each event in an envelope (EVT-072). */
export function toCloudEvents(input) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const {events, source, type_prefix: prefix, times} = input;
  return {result: {events: events.map((event, at) => wrap(event, source, prefix, times[at]))}};
}

/** Whether the input is none (EVT-071); events and timestamps cannot nest. */
function isBadInput(input) {
  if (!hasMembers(input, ['events', 'source', 'type_prefix', 'times'])) return true;
  const {events, source, type_prefix: prefix, times} = input;
  if (!Array.isArray(events) || !events.every(isSendable)) return true;
  if (typeof source !== 'string' || source === '' || NOT_IN_SOURCE.test(source)) return true;
  if (typeof prefix !== 'string' || !isTypePrefix(prefix)) return true;
  return !Array.isArray(times) || times.length !== events.length || !times.every(isTimestamp);
}

/** Whether an element is a well-formed event whose texts can be attributes. */
function isSendable(event) {
  return isWellFormedEvent(event) && isAttributeText(event.request_id) &&
    isAttributeText(event.tool);
}

function isTypePrefix(text) {
  return text.split('.').every((part) => PART.test(part));
}

function isAttributeText(text) {
  return text !== '' && !NOT_IN_TEXT.test(text);
}

/** One event in its envelope (EVT-073 to EVT-077). */
function wrap(event, source, prefix, time) {
  const {request_id: request, seq, tool} = event;
  const kind = event.type === PLANNED ? 'planned' : 'result';
  return {
    specversion: '1.0',
    id: `${request}:${seq}:${kind}`,
    source,
    type: `${prefix}.tool_call.${kind}.v1`,
    subject: tool,
    time,
    datacontenttype: 'application/json',
    correlationid: request,
    data: event,
  };
}
