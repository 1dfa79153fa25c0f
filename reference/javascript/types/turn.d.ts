// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

import type {FilterPromptSection, PlanTurnFinding, ResolveMatched, ResolveReason} from './capability.js';
import type {RecordCallsDigest, RecordCallsKey, RecordCallsMetrics, RecordCallsOutput, RecordCallsResultError, RecordCallsResultOk, RecordCallsSeq} from './event.js';
import type {ExtractDialects, ExtractFormat, ExtractGuided, ExtractLimits} from './extraction.js';
import type {SanitizeHistoryParts} from './payload.js';
import type {ProfileInput, ProfileOrigin} from './profile.js';

/**
 * A change: a code and where it was made, and nothing that stood there (TRN-050).
 */
export type PrepareFinding =
  | {
      code: 'layer_malformed';
      path: string;
    }
  | {
      code:
        | 'assistant_last'
        | 'bridge_inserted'
        | 'bridge_missing'
        | 'message_empty'
        | 'message_not_object'
        | 'messages_joined'
        | 'result_late'
        | 'result_moved'
        | 'result_of_skipped_call'
        | 'result_orphaned'
        | 'role_unknown'
        | 'system_late'
        | 'text_blank';
      path: string;
      refused?: true;
    }
  | {
      code: 'function_call_removed';
      path: string;
    }
  | {
      code: 'calls_split' | 'tool_calls_empty' | 'tool_calls_misplaced' | 'tool_calls_not_array';
      path: string;
      refused?: true;
    }
  | {
      code: 'members_unknown';
      path: string;
      refused?: true;
    }
  | {
      code: 'opaque_removed';
      path: string;
    }
  | {
      code: 'opaque_added';
      path: string;
      refused?: true;
    }
  | {
      code: 'opaque_missing';
      path: string;
      refused?: true;
    }
  | {
      code: 'content_coerced' | 'media_moved' | 'media_removed' | 'part_unknown' | 'text_blank';
      path: string;
      refused?: true;
    }
  | {
      code: 'name_not_string' | 'null_omitted';
      path: string;
      refused?: true;
    }
  | {
      code: 'call_not_object' | 'result_missing';
      path: string;
      refused?: true;
    }
  | {
      code: 'type_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'id_replaced';
      path: string;
      refused?: true;
    }
  | {
      code: 'role_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'name_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'content_coerced' | 'result_content_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'function_missing' | 'function_not_object';
      path: string;
    }
  | {
      code: 'name_blank' | 'name_missing' | 'name_not_string';
      path: string;
      refused?: true;
    }
  | {
      code: 'arguments_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'arguments_repaired';
      path: string;
      /**
       * @minItems 1
       * @maxItems 4
       */
      repairs: ('control_chars' | 'escaped_apostrophe' | 'repeated_object' | 'trailing_comma')[];
      refused?: true;
    }
  | {
      code: 'arguments_empty' | 'arguments_invalid_json' | 'arguments_not_object' | 'arguments_too_deep';
      path: string;
      /**
       * The length of the arguments text in UTF-8.
       */
      bytes?: number;
      refused?: true;
    }
  | {
      code: 'history_flattened';
      path: string;
    }
  | {
      code:
        'annotation_removed' | 'constraint_removed' | 'schema_respelled' | 'schema_not_taken' | 'type_moved';
      path: string;
      refused?: true;
    }
  | {
      code: 'choice_replaced';
      path: string;
      refused?: true;
    }
  | {
      code: 'thinking_disabled';
      path: string;
      refused?: true;
    }
  | {
      code: 'member_not_taken' | 'member_renamed';
      path: string;
      refused?: true;
    }
  | {
      code: 'effort_in_doubt' | 'effort_not_taken';
      path: '/request/reasoning_effort';
      refused?: true;
    }
  | {
      code: 'schema_unsafe' | 'tool_malformed' | 'tool_not_effective';
      path: string;
      refused?: true;
    }
  | {
      code: 'tool_not_effective';
      path: '/request/functions';
    }
  | {
      code: 'payload_not_object';
      path: string;
    }
  | {
      code: 'null_omitted';
      path: string;
      refused?: true;
    }
  | {
      code: 'capability_unsupported' | 'protocol_text' | 'tools_absent' | 'tools_empty' | 'tools_not_array';
      path: string;
      refused?: true;
    }
  | {
      code: 'choice_coerced';
      path: '/request/tool_choice';
    }
  | {
      code: 'choice_not_offered';
      path: string;
    }
  | {
      code: 'parallel_not_boolean' | 'parallel_not_offered' | 'parallel_not_taken';
      path: string;
      refused?: true;
    }
  | {
      code: 'parameters_added' | 'parameters_completed';
      path: string;
      refused?: true;
    }
  | {
      code: 'strict_not_boolean' | 'strict_not_taken';
      path: string;
      refused?: true;
    }
  | {
      code: 'description_cut';
      path: string;
      refused?: true;
    }
  | {
      code: 'description_not_string';
      path: string;
    }
  | {
      code: 'name_aliased';
      path: string;
      refused?: true;
    }
  | {
      code: 'surrogate_replaced';
      path: string;
    };

/**
 * The plan of what is sent (TRN-002). Its findings stand among those of the whole.
 */
export type PreparePlan =
  | {
      /**
       * How calls travel (CAP-032).
       */
      protocol: 'native';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @minItems 1
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-035).
       */
      send_tools: true;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-035).
       */
      send_tool_choice: null | ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-035).
       */
      send_parallel_tool_calls: boolean | null;
      /**
       * Whether the prompt lists the tools (CAP-035).
       */
      prompt_catalogue: false;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-035).
       */
      prompt_protocol: false;
      /**
       * Whether calls in the field for them count (CAP-035).
       */
      parse_native_calls: true;
      /**
       * Whether calls in the text count (CAP-035).
       */
      parse_text_calls: boolean;
      /**
       * Always true (CAP-035).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-035).
       */
      history: 'keep';
      /**
       * What could not be read (CAP-044).
       *
       * @maxItems 0
       */
      findings: PlanTurnFinding[];
    }
  | {
      /**
       * How calls travel (CAP-032).
       */
      protocol: 'text';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @minItems 1
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-035).
       */
      send_tools: false;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-035).
       *
       * @maxItems 0
       */
      send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-035).
       */
      send_parallel_tool_calls: false;
      /**
       * Whether the prompt lists the tools (CAP-035).
       */
      prompt_catalogue: true;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-035).
       */
      prompt_protocol: true;
      /**
       * Whether calls in the field for them count (CAP-035).
       */
      parse_native_calls: false;
      /**
       * Whether calls in the text count (CAP-035).
       */
      parse_text_calls: true;
      /**
       * Always true (CAP-035).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-035).
       */
      history: 'keep' | 'flatten';
      /**
       * What could not be read (CAP-044).
       *
       * @maxItems 0
       */
      findings: PlanTurnFinding[];
    }
  | {
      /**
       * How calls travel (CAP-032).
       */
      protocol: 'none';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @maxItems 0
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-035).
       */
      send_tools: false;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-035).
       *
       * @maxItems 0
       */
      send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-035).
       */
      send_parallel_tool_calls: false;
      /**
       * Whether the prompt lists the tools (CAP-035).
       */
      prompt_catalogue: false;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-035).
       */
      prompt_protocol: false;
      /**
       * Whether calls in the field for them count (CAP-035).
       */
      parse_native_calls: false;
      /**
       * Whether calls in the text count (CAP-035).
       */
      parse_text_calls: false;
      /**
       * Always true (CAP-035).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-035).
       */
      history: 'keep' | 'flatten';
      /**
       * What could not be read (CAP-044).
       *
       * @maxItems 0
       */
      findings: PlanTurnFinding[];
    };

/**
 * A defect: a code and where it stands, and nothing that stood there (TRN-050).
 */
export type ReceiveFinding =
  | {
      code: 'call_not_object';
      path: string;
    }
  | {
      code: 'function_missing' | 'function_not_object';
      path: string;
    }
  | {
      code: 'name_blank' | 'name_missing' | 'name_not_string';
      path: string;
    }
  | {
      code: 'name_repaired';
      path: string;
    }
  | {
      code: 'arguments_decoded';
      path: string;
    }
  | {
      code: 'arguments_repaired';
      path: string;
      /**
       * @minItems 1
       * @maxItems 4
       */
      repairs: ('control_chars' | 'escaped_apostrophe' | 'repeated_object' | 'trailing_comma')[];
    }
  | {
      code:
        | 'arguments_empty'
        | 'arguments_invalid_json'
        | 'arguments_not_object'
        | 'arguments_too_deep'
        | 'arguments_truncated';
      path: string;
      /**
       * The length of the arguments text in UTF-8.
       */
      bytes?: number;
    }
  | {
      code: 'id_replaced';
      path: string;
    }
  | {
      code: 'native_calls_unsolicited';
      path: string;
    }
  | {
      code: 'text_call_rejected';
      path: string;
    }
  | {
      code: 'part_unknown';
      path: string;
    }
  | {
      code: 'opaque_removed';
      path: string;
    }
  | {
      code: 'function_call_removed';
      path: '/message/function_call';
    };

export type SettleErrorType =
  | 'tool_payload_too_large'
  | 'tool_payload_parse_error'
  | 'tool_payload_truncated'
  | 'tool_echoed'
  | 'tool_not_available'
  | 'tool_denied'
  | 'tool_timeout'
  | 'tool_aborted'
  | 'tool_error';

/**
 * The position of the call in the message, from 0.
 */
export type SettleSeq = number;

/**
 * A code and where it stands, and nothing that stood there (TRN-050).
 */
export type TurnStreamFinding =
  | {
      code: 'delta_not_read';
      path: string;
    }
  | {
      code: 'opaque_removed';
      path: string;
    };

/**
 * What can be shown now.
 */
export type TurnStreamShown =
  | {
      /**
       * Reasoning, apart from the text.
       */
      reasoning: string;
    }
  | {
      /**
       * Text of the answer.
       */
      text: string;
    }
  | {
      /**
       * What a provider says that refuses.
       */
      refusal: string;
    };

/**
 * What the operation takes (TRN-001). That it nests at most 128 deep is beyond a schema.
 */
export interface PrepareInput {
  /**
   * The request with all that the caller would send: any JSON, because it is judged.
   */
  request: unknown;
  /**
   * The registry documents: any JSON, because each is judged.
   */
  registries: unknown[];
  /**
   * The models that the request can reach: any JSON, because each is judged.
   */
  targets: unknown[];
  /**
   * The names of the tools that the runtime has, in their order.
   */
  registered: string[];
  /**
   * The policies: any JSON, because each is judged.
   */
  layers: unknown[];
  /**
   * Whether the runtime can describe tools in the prompt and find calls in the text.
   */
  text_protocol: boolean;
  /**
   * Whether calls count only in the form that was asked for; absent means false.
   */
  strict_parsing?: boolean;
  /**
   * The whole prompt, in order; absent means empty.
   */
  sections?: FilterPromptSection[];
  /**
   * What becomes of an invalid call in the history.
   */
  disposition: 'skip' | 'answer';
  /**
   * Whether the last assistant message still waits for results; absent means false.
   */
  open_turn?: boolean;
  /**
   * Whether a history that becomes quoted text names every tool that it called, for a summary; absent means false.
   */
  keep_names?: boolean;
  /**
   * What the provider takes beyond the common form; absent means that no provider is known.
   */
  profile?: ProfileInput;
}

/**
 * What is sent, and the plan that says how the answer is read.
 */
export interface PrepareResult {
  /**
   * The request to send; anything but an object is the given one.
   */
  request: unknown;
  /**
   * The sections of the prompt that this turn has a use for (TRN-002).
   */
  sections: FilterPromptSection[];
  plan: PreparePlan;
  /**
   * The original of each name that was changed, by the sent name.
   */
  aliases: {
    [k: string]: string;
  };
  /**
   * Why the capability is what it is (TRN-002).
   */
  reason: ResolveReason;
  /**
   * Where the entry of each target stands; null where it has none (TRN-010).
   */
  matched: ResolveMatched;
  /**
   * How many invalid calls the history lost; absent means none (TRN-002).
   */
  skipped?: number;
  /**
   * Every change once, in the order of paths (TRN-010).
   */
  findings: PrepareFinding[];
}

/**
 * What the operation takes (TRN-020). That it nests at most 128 deep is beyond a schema.
 */
export interface ReceiveInput {
  /**
   * The plan of the turn. Its other members are not read.
   */
  plan: {
    effective: string[];
    parse_native_calls: boolean;
    parse_text_calls: boolean;
    [k: string]: any;
  };
  /**
   * What the model gave. A member but `reasoning_content`, `reasoning`, `thinking` and those below has a name that `opaque_members` of the profile holds, which is beyond a schema.
   */
  message: {
    /**
     * The text, or its parts, each any JSON; null where there is none.
     */
    text: string | unknown[] | null;
    /**
     * The field for native calls: any JSON in it, because each is judged.
     */
    tool_calls: unknown[] | null;
    /**
     * Whether the provider said that the output was cut off; absent means false.
     */
    truncated?: boolean;
    /**
     * What the model said in place of an answer; absent means null.
     */
    refusal?: string | null;
    /**
     * A call in the legacy form: any JSON, which is only reported.
     */
    function_call?: unknown;
    [k: string]: any;
  };
  /**
   * Stands in every event.
   */
  request_id: string;
  /**
   * What enters the history of an invalid call.
   */
  disposition: 'skip' | 'answer';
  /**
   * Any JSON: the request as it was sent. Its tools are held against the plan (TRN-033).
   */
  request?: unknown;
  /**
   * The original of each name that was changed, by the sent name.
   */
  aliases?: {
    [k: string]: string;
  };
  /**
   * The declarations of the tools, with the names that the runtime knows, as for extraction.extract. Absent: those of `request`.
   */
  tools?: unknown[];
  dialects?: ExtractDialects;
  format?: ExtractFormat;
  /**
   * Whether a marker in a code fence counts; absent means opaque.
   */
  fences?: 'opaque' | 'extract';
  /**
   * Where the text begins: in reasoning that the prompt opened, or outside; none: this turn has no reasoning, and its tags are text.
   */
  reasoning?: 'open' | 'closed' | 'none';
  guided?: ExtractGuided;
  limits?: ExtractLimits;
  key?: RecordCallsKey;
  /**
   * What is opaque in the message, and where it came from; absent means that no provider is known.
   */
  profile?: ProfileInput;
}

export interface ReceiveAnswer {
  /**
   * The position of the call in the message, from 0.
   */
  seq: number;
  id: string;
  error_type:
    | 'tool_payload_too_large'
    | 'tool_payload_parse_error'
    | 'tool_payload_truncated'
    | 'tool_echoed'
    | 'tool_not_available';
}

export interface ReceiveDispatched {
  /**
   * The position of the call in the message, from 0.
   */
  seq: number;
  id: string;
  /**
   * The name that the runtime knows.
   */
  name: string;
  /**
   * The text of an object.
   */
  arguments_json: string;
}

/**
 * A call was seen, with its id.
 */
export interface ReceivePlanned {
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
  tool_call_id: string;
}

export interface ReceiveWireCall {
  /**
   * The position of the call in the message, from 0.
   */
  seq: number;
  id: string;
  /**
   * The sent name.
   */
  name: string;
  /**
   * The text of an object.
   */
  arguments_json: string;
  /**
   * What only the provider understands of the call and its `function`; absent means nothing (TRN-035).
   */
  opaque?: {
    call?: {
      [k: string]: unknown;
    };
    function?: {
      [k: string]: unknown;
    };
  };
}

/**
 * What is shown, run, answered and stored.
 */
export interface ReceiveResult {
  /**
   * What is left of the text (TRN-022).
   */
  content: string | null;
  /**
   * The reasoning, apart.
   */
  reasoning: string | null;
  /**
   * What enters the history, in wire form (TRN-024).
   */
  calls: ReceiveWireCall[];
  /**
   * What is to be run (TRN-024).
   */
  dispatch: ReceiveDispatched[];
  /**
   * What is not to be run, and why (TRN-024).
   */
  answers: ReceiveAnswer[];
  /**
   * An event for each call (TRN-024).
   */
  planned: ReceivePlanned[];
  /**
   * How many answers stand for a call that could not be read (TRN-024).
   */
  unreadable: number;
  /**
   * How many blocks went without a call or an answer in their place (TRN-024).
   */
  removed: number;
  /**
   * The message was cut off; absent means that it was not (TRN-035).
   */
  truncated?: true;
  /**
   * What the model said in place of an answer; absent means nothing (TRN-035).
   */
  refusal?: string;
  /**
   * Where the message came from; absent means that the profile does not say it (TRN-035).
   */
  origin?: ProfileOrigin;
  /**
   * What only the provider of the message understands; absent means nothing (TRN-035).
   */
  opaque?: {
    members?: {
      [k: string]: unknown;
    };
  };
  /**
   * Every defect once, in the order of paths (TRN-030).
   */
  findings: ReceiveFinding[];
}

/**
 * Members that only the provider understands; none has a name of the wire.
 */
export interface SettleOpaqueMembers {
  [k: string]: unknown;
}

export interface SettleOutcome {
  /**
   * Names a dispatched call.
   */
  seq: number;
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
 * What the operation takes (TRN-040).
 */
export interface SettleInput {
  /**
   * The result of turn.receive. Members that are not named here are not read.
   */
  received: {
    content: string | null;
    refusal?: string;
    origin?: ProfileOrigin;
    /**
     * What only the provider of the message understands. How deep it nests is not judged.
     */
    opaque?: {
      members?: {
        [k: string]: unknown;
      };
      [k: string]: any;
    };
    calls: {
      seq: SettleSeq;
      id: string;
      name: string;
      arguments_json: string;
      opaque?: {
        call?: SettleOpaqueMembers;
        function?: SettleOpaqueMembers;
        [k: string]: any;
      };
      [k: string]: any;
    }[];
    dispatch: {
      seq: SettleSeq;
      [k: string]: any;
    }[];
    answers: {
      seq: SettleSeq;
      error_type: SettleErrorType;
      [k: string]: any;
    }[];
    planned: {
      request_id: string;
      seq: SettleSeq;
      tool: string;
      tool_call_id: string;
      [k: string]: any;
    }[];
    [k: string]: any;
  };
  /**
   * What the execution of dispatched calls came to, in any order.
   */
  outcomes: SettleOutcome[];
  /**
   * Whether results that are parts are stored as such; absent means that no provider is known.
   */
  profile?: ProfileInput;
}

/**
 * What the model said and called; other members are opaque (TRN-043).
 */
export interface SettleAssistantMessage {
  role: 'assistant';
  content: string | null;
  /**
   * @minItems 1
   */
  tool_calls?: {
    id: string;
    type: 'function';
    function: {
      name: string;
      arguments: string;
      [k: string]: unknown;
    };
    [k: string]: unknown;
  }[];
  /**
   * Where the message came from.
   */
  _from?: ProfileOrigin;
  [k: string]: unknown;
}

export interface SettleToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string | SanitizeHistoryParts;
}

/**
 * What is logged, counted, shown and stored.
 */
export interface SettleResult {
  /**
   * The Result of each call, in the order of seq (TRN-041).
   */
  events: (RecordCallsResultOk | RecordCallsResultError)[];
  metrics: RecordCallsMetrics;
  /**
   * What is shown outside, one for each Result.
   */
  outputs: RecordCallsOutput[];
  /**
   * The messages to store (TRN-043).
   */
  history: (SettleAssistantMessage | SettleToolMessage)[];
  /**
   * Each part of a result that was dropped; absent means none (TRN-047).
   *
   * @minItems 1
   */
  findings?: {
    code: 'media_removed';
    path: string;
  }[];
}

/**
 * What the operation takes (TRN-001). That it nests at most 128 deep is beyond a schema.
 */
export interface TurnStreamInput {
  /**
   * The plan of the turn. Its other members are not read.
   */
  plan: {
    effective: string[];
    parse_native_calls: boolean;
    parse_text_calls: boolean;
    [k: string]: any;
  };
  /**
   * What the server sent, in order: chunks of Chat Completions, and any JSON among them, because each is judged.
   */
  chunks: unknown[];
  /**
   * Stands in every event.
   */
  request_id: string;
  /**
   * What enters the history of an invalid call.
   */
  disposition: 'skip' | 'answer';
  /**
   * Any JSON: the request as it was sent. Its tools are held against the plan (TRN-033).
   */
  request?: unknown;
  /**
   * The original of each name that was changed, by the sent name.
   */
  aliases?: {
    [k: string]: string;
  };
  /**
   * The declarations of the tools, with the names that the runtime knows, as for extraction.extract. Absent: those of `request`.
   */
  tools?: unknown[];
  dialects?: ExtractDialects;
  format?: ExtractFormat;
  /**
   * Whether a marker in a code fence counts; absent means opaque.
   */
  fences?: 'opaque' | 'extract';
  /**
   * Where the text begins: in reasoning that the prompt opened, or outside; none: this turn has no reasoning, and its tags are text.
   */
  reasoning?: 'open' | 'closed' | 'none';
  guided?: ExtractGuided;
  limits?: ExtractLimits;
  key?: RecordCallsKey;
  /**
   * What is opaque in the message, and where it came from; absent means that no provider is known.
   */
  profile?: ProfileInput;
}

/**
 * A call in the form of the wire (TRN-063 to TRN-066).
 */
export interface TurnStreamCall {
  id?: string;
  type?: string;
  function: {
    /**
     * Null where two tools could be meant.
     */
    name?: string | null;
    arguments?: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}

/**
 * The message as turn.receive takes it (TRN-062, TRN-063, TRN-067), with the members that the profile makes opaque (TRN-074).
 */
export interface TurnStreamMessage {
  /**
   * The content, an array where parts came that are no text; null where none was sent.
   */
  text: string | unknown[] | null;
  /**
   * A call for each slot; null where there is none.
   */
  tool_calls: TurnStreamCall[] | null;
  /**
   * Whether the output was cut off, or the stream has no end.
   */
  truncated: boolean;
  /**
   * What the provider said that refused (TRN-062).
   */
  refusal?: string;
  [k: string]: unknown;
}

/**
 * The message that the chunks are, what becomes of it, and what can be shown meanwhile.
 */
export interface TurnStreamResult {
  message: TurnStreamMessage;
  received: ReceiveResult;
  /**
   * A list for each chunk, and one for the end (TRN-069). When what is shown is judged by a law; a case compares it where only one answer is right.
   *
   * @minItems 1
   */
  shown: TurnStreamShown[][];
  /**
   * What of the chunks is not in the message (TRN-072).
   */
  findings: TurnStreamFinding[];
}
