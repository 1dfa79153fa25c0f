// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

/**
 * What the operation takes (EVT-001). That it nests at most 128 deep is beyond a schema.
 */
export type HashArgumentsInput =
  | {
      /**
       * The arguments as an object: any JSON, because it is judged.
       */
      arguments: unknown;
      /**
       * The arguments as a text: any text, because it is judged.
       */
      arguments_json?: string;
      key?: HashArgumentsKey;
    }
  | {
      /**
       * The arguments as an object: any JSON, because it is judged.
       */
      arguments?: unknown;
      /**
       * The arguments as a text: any text, because it is judged.
       */
      arguments_json: string;
      key?: HashArgumentsKey;
    };

/**
 * A digest: 64 lower-case hexadecimal digits.
 */
export type HashArgumentsDigest = string;

/**
 * What may be known of the arguments.
 */
export type HashArgumentsResult =
  | {
      args_preview_hash: HashArgumentsDigest;
      /**
       * How the digests were made (EVT-007).
       */
      algorithm: 'hmac-sha256';
      /**
       * The id of the key, when there was one.
       */
      key_id: string;
    }
  | {
      args_preview_hash: HashArgumentsDigest;
      /**
       * How the digests were made (EVT-007).
       */
      algorithm: 'sha256';
    };

/**
 * One call: the payload of a pseudo-marker, or a name and the text of the arguments.
 */
export type RecordCallsCall =
  | {
      /**
       * The text between the markers: any text, because it is judged.
       */
      payload: string;
      /**
       * Stands in both events of the call.
       */
      tool_call_id?: string;
      /**
       * Stands in the Planned.
       */
      args_schema_version?: string;
      outcome?: RecordCallsOutcome;
    }
  | {
      /**
       * The name; null says that it could not be had.
       */
      name: string | null;
      /**
       * The text of the arguments; null says that it could not be had.
       */
      arguments_json: string | null;
      /**
       * Why the call could not be read, where somebody else tried, that it was cut off, or that it is an echo.
       */
      error_type?:
        'tool_payload_too_large' | 'tool_payload_parse_error' | 'tool_payload_truncated' | 'tool_echoed';
      /**
       * Stands in both events of the call.
       */
      tool_call_id?: string;
      /**
       * Stands in the Planned.
       */
      args_schema_version?: string;
      outcome?: RecordCallsOutcome;
    };

/**
 * What the operation takes (EVT-001). That it nests at most 128 deep is beyond a schema.
 */
export type RecordCallsInput =
  | {
      /**
       * Stands in every event.
       */
      request_id: string;
      /**
       * The calls, in the order in which they were seen.
       */
      calls: RecordCallsCall[];
      /**
       * The names of the tools that this turn can use.
       */
      effective: string[];
      /**
       * Limits other than those that hold without it.
       */
      limits?: {
        /**
         * The longest payload or arguments text, in bytes of UTF-8.
         */
        payload_bytes: number;
      };
      key?: RecordCallsKey;
    }
  | {
      /**
       * Stands in every event.
       */
      request_id: string;
      /**
       * The calls, in the order in which they were seen.
       */
      calls: RecordCallsCall[];
      /**
       * There is no registry: no call is unavailable.
       */
      observe: true;
      /**
       * In the place of effective: the names that may be shown.
       */
      labels: string[];
      /**
       * Limits other than those that hold without it.
       */
      limits?: {
        /**
         * The longest payload or arguments text, in bytes of UTF-8.
         */
        payload_bytes: number;
      };
      key?: RecordCallsKey;
    };

/**
 * A digest: 64 lower-case hexadecimal digits.
 */
export type RecordCallsDigest = string;

/**
 * A latency in milliseconds.
 */
export type RecordCallsLatency = number;

/**
 * The position of the call in the request, from 0.
 */
export type RecordCallsSeq = number;

/**
 * One well-formed event.
 */
export type ToOtelEvent = RecordCallsPlanned | RecordCallsResultOk | RecordCallsResultError;

/**
 * The key of a keyed hash.
 */
export interface HashArgumentsKey {
  /**
   * Names the key; shown beside the hash.
   */
  id: string;
  /**
   * The bytes of the secret, two hexadecimal digits each.
   */
  secret_hex: string;
}

/**
 * What the execution came to; without one the no-op executes.
 */
export interface RecordCallsOutcome {
  /**
   * Any JSON, because it is judged: the string ok, and everything else is an error.
   */
  status: unknown;
  /**
   * Any JSON, because it is judged: how long it ran, in milliseconds.
   */
  latency_ms?: unknown;
  /**
   * Any JSON, because it is judged: what went wrong.
   */
  error_type?: unknown;
  /**
   * Any JSON: what the tool returned.
   */
  content?: unknown;
}

/**
 * The key of a keyed hash.
 */
export interface RecordCallsKey {
  /**
   * Names the key; shown beside the hash.
   */
  id: string;
  /**
   * The bytes of the secret, two hexadecimal digits each.
   */
  secret_hex: string;
}

/**
 * The counter of one tool and one status.
 */
export interface RecordCallsCounter {
  tool: string;
  status: 'ok' | 'error';
  value: number;
}

/**
 * The latencies of one tool.
 */
export interface RecordCallsHistogram {
  tool: string;
  count: number;
  sum: number;
  /**
   * Cumulative counts for the bounds 10, 20, 40 to 81,920, and of all (EVT-043).
   *
   * @minItems 15
   * @maxItems 15
   */
  buckets: number[];
}

/**
 * What the request adds to the metrics.
 */
export interface RecordCallsMetrics {
  /**
   * The counter (EVT-043).
   */
  tool_calls_total: RecordCallsCounter[];
  /**
   * The histogram (EVT-043).
   */
  tool_call_latency_ms: RecordCallsHistogram[];
}

/**
 * What is shown for one Result.
 */
export interface RecordCallsOutput {
  seq: RecordCallsSeq;
  channel: 'commentary';
  /**
   * What the tool returned, the canned result, or the message.
   */
  content: string;
}

/**
 * A call was seen.
 */
export interface RecordCallsPlanned {
  type: 'ToolCallPlanned';
  request_id: string;
  seq: RecordCallsSeq;
  /**
   * An effective name, or unknown (EVT-013).
   */
  tool: string;
  /**
   * Null where no arguments were read (EVT-013).
   */
  args_preview_hash: RecordCallsDigest | null;
  /**
   * Stands with a key only (EVT-013).
   */
  args_hash_algorithm?: 'hmac-sha256';
  /**
   * The id of the key.
   */
  args_hash_key_id?: string;
  args_schema_version?: string;
  tool_call_id?: string;
}

/**
 * The Result of any other call: its error type and the fixed text of that (EVT-021).
 */
export interface RecordCallsResultError {
  type: 'ToolCallResult';
  request_id: string;
  seq: RecordCallsSeq;
  tool: string;
  status: 'error';
  latency_ms?: RecordCallsLatency;
  error_type:
    | 'tool_payload_too_large'
    | 'tool_payload_parse_error'
    | 'tool_payload_truncated'
    | 'tool_echoed'
    | 'tool_not_available'
    | 'tool_denied'
    | 'tool_timeout'
    | 'tool_aborted'
    | 'tool_error';
  message:
    | 'The tool call was not run: its payload is too large.'
    | 'The tool call was not run: its payload could not be read.'
    | 'The tool call was not run: the output was cut off before its end.'
    | 'The tool call was not run: it repeats a text that stood in a message or a result.'
    | 'The tool call was not run: the tool is not available.'
    | 'The tool call was not run: it was denied.'
    | 'The tool call took too long and was given up.'
    | 'The tool call was aborted before it had a result.'
    | 'The tool call failed.';
  tool_call_id?: string;
}

/**
 * The Result of a call that went well.
 */
export interface RecordCallsResultOk {
  type: 'ToolCallResult';
  request_id: string;
  seq: RecordCallsSeq;
  tool: string;
  status: 'ok';
  latency_ms?: RecordCallsLatency;
  tool_call_id?: string;
}

/**
 * What is logged, counted and shown.
 */
export interface RecordCallsResult {
  /**
   * A Planned and a Result for each call (EVT-013).
   */
  events: (RecordCallsPlanned | RecordCallsResultOk | RecordCallsResultError)[];
  metrics: RecordCallsMetrics;
  /**
   * What is shown outside, one for each Result (EVT-048).
   */
  outputs: RecordCallsOutput[];
}

/**
 * What the operation takes (EVT-001).
 */
export interface ToOtelInput {
  /**
   * Well-formed events.
   */
  events: ToOtelEvent[];
}

/**
 * Attributes by name.
 */
export interface ToOtelAttributes {
  'gen_ai.operation.name'?: 'execute_tool';
  'gen_ai.tool.type'?: 'function';
  'gen_ai.tool.name': string;
  'gen_ai.tool.call.id'?: string;
  'error.type'?: string;
  /**
   * In a log record alone (EVT-087).
   */
  'exception.message'?: string;
  'commoncall.request_id'?: string;
  'commoncall.seq'?: number;
  'commoncall.args_preview_hash'?: RecordCallsDigest;
  'commoncall.args_hash_algorithm'?: 'hmac-sha256';
  'commoncall.args_hash_key_id'?: string;
  'commoncall.args_schema_version'?: string;
}

/**
 * A log record.
 */
export interface ToOtelLog {
  /**
   * What it is a record of.
   */
  event_name:
    'commoncall.tool_call.planned' | 'commoncall.tool_call.not_run' | 'gen_ai.execute_tool.exception';
  /**
   * 9 is INFO, 13 is WARN.
   */
  severity_number: 9 | 13;
  /**
   * The message of what did not run (EVT-087).
   */
  body?: string;
  attributes: ToOtelAttributes;
}

/**
 * One duration.
 */
export interface ToOtelMeasurement {
  /**
   * In seconds.
   */
  value: number;
  /**
   * Few, since each combination is a time series (EVT-090).
   */
  attributes: {
    'gen_ai.tool.name': string;
    'error.type'?: string;
  };
}

/**
 * A histogram and what is recorded in it.
 */
export interface ToOtelMetric {
  name: 'gen_ai.execute_tool.duration';
  instrument: 'histogram';
  unit: 's';
  /**
   * The upper bounds of the buckets in seconds (EVT-090).
   *
   * @minItems 14
   * @maxItems 14
   */
  boundaries: number[];
  /**
   * @minItems 1
   */
  measurements: ToOtelMeasurement[];
}

/**
 * The execution of a tool.
 */
export interface ToOtelSpan {
  /**
   * The operation and the tool (EVT-081).
   */
  name: string;
  kind: 'internal';
  /**
   * Left alone on success (EVT-081).
   */
  status: 'unset' | 'error';
  /**
   * The message of an error.
   */
  status_description?: string;
  /**
   * In seconds, where it was measured (EVT-081).
   */
  duration_s?: number;
  attributes: ToOtelAttributes;
}

/**
 * What the events are in OpenTelemetry.
 */
export interface ToOtelResult {
  /**
   * The version of the conventions whose names these are (EVT-081).
   */
  conventions: 'semantic-conventions-genai 0.1.0';
  /**
   * One for each call that ran (EVT-081).
   */
  spans: ToOtelSpan[];
  /**
   * One for each Planned, and each call that failed or did not run (EVT-087).
   */
  logs: ToOtelLog[];
  /**
   * The histogram of durations, if there is any (EVT-090).
   *
   * @maxItems 1
   */
  metrics: ToOtelMetric[];
}
