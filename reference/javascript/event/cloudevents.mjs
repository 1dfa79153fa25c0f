// The operation event.to_cloudevents.

import {EVENT_TO_CLOUDEVENTS} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {PLANNED, isWellFormedEvent} from './faults.mjs';
import {isTimestamp} from './times.mjs';

// Control characters, noncharacters and surrogates outside a pair (event: attribute text).
const NOT_IN_TEXT = /[\u0000-\u001f\u007f-\u009f\p{Noncharacter_Code_Point}\p{Surrogate}]/u;

/** `{result}` or `{error}`: each event in an envelope (EVT-072). */
export function toCloudEvents(input) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const {events, source, type_prefix: prefix, times} = input;
  return {result: {events: events.map((event, at) => wrap(event, source, prefix, times[at]))}};
}

/** Whether the input is none (EVT-001). */
function isBadInput(input) {
  return isBad(EVENT_TO_CLOUDEVENTS, input) || !input.events.every(isSendable) ||
    input.times.length !== input.events.length || !input.times.every(isTimestamp);
}

/** Whether an element is a well-formed event whose texts can be attributes. */
function isSendable(event) {
  return isWellFormedEvent(event) && isAttributeText(event.request_id) &&
    isAttributeText(event.tool);
}

function isAttributeText(text) {
  return text !== '' && !NOT_IN_TEXT.test(text);
}

/** One event in its envelope (EVT-072). */
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
