import type {
  HashArgumentsInput, HashArgumentsResult, RecordCallsInput, RecordCallsResult,
  ToOtelInput, ToOtelResult,
} from '../types/event.js';

export {CommonCallError, type ErrorCode} from '../shared/errors.mjs';
export type * from '../types/event.js';

/** Hashes the arguments of a call. */
export declare function hashArguments(input: HashArgumentsInput): HashArgumentsResult;

/** Makes the events, metrics and outputs of the calls of one request. `clock` gives milliseconds. */
export declare function recordCalls(
  input: RecordCallsInput, env?: {clock?: Iterable<number>},
): RecordCallsResult;

/** Writes events as spans, logs and metrics of OpenTelemetry. */
export declare function toOtel(input: ToOtelInput): ToOtelResult;
