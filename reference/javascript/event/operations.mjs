// The operations of the event contract by name.

import {hashArguments} from './hashing.mjs';
import {toOtel} from './otel.mjs';
import {recordCalls} from './recorder.mjs';

export const operations = {
  'event.hash_arguments': (input) => hashArguments(input),
  // Under test nothing looks at a clock of its own, so an absent list is an empty one.
  'event.record_calls': (input, env) => recordCalls(input, {clock: env.clock_ms ?? []}),
  'event.to_otel': (input) => toOtel(input),
};
