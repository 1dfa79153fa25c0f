// The operations of the event contract by name.

import {toCloudEvents} from './event_cloudevents.mjs';
import {hashArguments} from './event_hash.mjs';
import {toOtel} from './event_otel.mjs';
import {recordCalls} from './event_record.mjs';
import {checkTrace} from './event_trace.mjs';

export const operations = {
  'event.hash_arguments': (input) => hashArguments(input),
  // Under test nothing looks at a clock of its own, so an absent list is an empty one.
  'event.record_calls': (input, env) => recordCalls(input, {clock: env.clock_ms ?? []}),
  'event.check_trace': (input) => checkTrace(input),
  'event.to_cloudevents': (input) => toCloudEvents(input),
  'event.to_otel': (input) => toOtel(input),
};
