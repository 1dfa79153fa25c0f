// The event contract: what is logged, counted and shown of tool calls, without their arguments?

import {EVENT_HASH_ARGUMENTS, EVENT_RECORD_CALLS, EVENT_TO_OTEL} from '../shared/form_data.mjs';
import {published} from '../shared/public.mjs';
import {hashArguments as hash} from './hashing.mjs';
import {toOtel as otel} from './otel.mjs';
import {recordCalls as record} from './recorder.mjs';

export {CommonCallError} from '../shared/errors.mjs';

/** Hashes the arguments of a call. */
export const hashArguments = /* @__PURE__ */ published(EVENT_HASH_ARGUMENTS, hash);

/** Makes the events, metrics and outputs of the calls of one request. */
export const recordCalls = /* @__PURE__ */ published(
  EVENT_RECORD_CALLS, (input, {clock = ticks()}) => record(input, {clock}),
);

/** Writes events as spans, logs and metrics of OpenTelemetry. */
export const toOtel = /* @__PURE__ */ published(EVENT_TO_OTEL, otel);

/** Milliseconds of a clock that never goes back. */
function* ticks() {
  for (;;) yield performance.now();
}
