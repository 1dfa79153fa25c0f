// The event contract: what is logged, counted and shown of tool calls, without their arguments?

import {published} from '../shared/public.mjs';
import {toCloudEvents as cloudEvents} from './cloudevents.mjs';
import {hashArguments as hash} from './hashing.mjs';
import {toOtel as otel} from './otel.mjs';
import {recordCalls as record} from './recorder.mjs';
import {checkTrace as trace} from './trace.mjs';

export {CommonCallError} from '../shared/errors.mjs';

/** Hashes the arguments of a call. */
export const hashArguments = /* @__PURE__ */ published('event.hash_arguments', hash);

/** Makes the events, metrics and outputs of the calls of one request. */
export const recordCalls = /* @__PURE__ */ published(
  'event.record_calls', (input, {clock = ticks()}) => record(input, {clock}),
);

/** Judges a list of events. */
export const checkTrace = /* @__PURE__ */ published('event.check_trace', trace);

/** Writes events as CloudEvents. */
export const toCloudEvents = /* @__PURE__ */ published('event.to_cloudevents', cloudEvents);

/** Writes events as spans, logs and metrics of OpenTelemetry. */
export const toOtel = /* @__PURE__ */ published('event.to_otel', otel);

/** Milliseconds of a clock that never goes back. */
function* ticks() {
  for (;;) yield performance.now();
}
