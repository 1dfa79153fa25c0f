import type {
  CheckTraceInput, CheckTraceResult, HashArgumentsInput, HashArgumentsResult, RecordCallsInput, RecordCallsResult,
  ToCloudeventsInput, ToCloudeventsResult, ToOtelInput, ToOtelResult,
} from './schemas.js';

export type * from './schemas.js';
export {CommonCallError} from './errors.js';

/** Hashes the arguments of a call. */
export function hashArguments(input: HashArgumentsInput): HashArgumentsResult;

/** Makes the events, metrics and outputs of the calls of one request. `clock` gives milliseconds. */
export function recordCalls(input: RecordCallsInput, env?: {clock?: Iterable<number>}): RecordCallsResult;

/** Judges a list of events. */
export function checkTrace(input: CheckTraceInput): CheckTraceResult;

/** Writes events as CloudEvents. */
export function toCloudEvents(input: ToCloudeventsInput): ToCloudeventsResult;

/** Writes events as spans, logs and metrics of OpenTelemetry. */
export function toOtel(input: ToOtelInput): ToOtelResult;
