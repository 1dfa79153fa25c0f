// Made from schemas/v1/bundled. Change the schemas, and make it again: python3 noxfile.py -s generators -- --write
// 1742b1799ee2705ca9bdba2b9f3b20a60ba0b5bd4ffed4a7244e2745647b64e2

/**
 * A defect: a code and where it stands, and nothing that was written there (PAY-024).
 */
export type CheckToolCallFinding =
  | {
      code: 'call_not_object';
      path: '/tool_call';
    }
  | {
      code: 'function_missing' | 'function_not_object';
      path: '/tool_call/function';
    }
  | {
      code: 'name_missing' | 'name_not_string' | 'name_blank';
      path: '/tool_call/function/name';
    }
  | {
      code:
        | 'arguments_empty'
        | 'arguments_invalid_json'
        | 'arguments_not_object'
        | 'arguments_too_deep'
        | 'arguments_truncated';
      path: '/tool_call/function/arguments';
      /**
       * The length of the arguments text in UTF-8.
       */
      bytes: number;
    }
  | {
      code: 'arguments_invalid_json' | 'arguments_not_object' | 'arguments_truncated';
      path: '/tool_call/function/arguments';
    };
/**
 * What the check found. What could not be had is null.
 */
export type CheckToolCallResult =
  | {
      /**
       * Whether there is no finding (PAY-002).
       */
      valid: true;
      /**
       * The name, unchanged (PAY-008).
       */
      name: string;
      /**
       * The arguments as an object.
       */
      arguments: {
        [k: string]: unknown;
      };
      /**
       * The text of the arguments: what is run and stored (PAY-017, PAY-019).
       */
      arguments_json: string;
      /**
       * Every defect once, in the order of paths (PAY-022): at most one of the arguments and one of the name.
       *
       * @maxItems 0
       */
      findings: CheckToolCallFinding[];
    }
  | {
      /**
       * Whether there is no finding (PAY-002).
       */
      valid: false;
      /**
       * The name, unchanged (PAY-008).
       */
      name: string | null;
      /**
       * The arguments as an object.
       */
      arguments: {
        [k: string]: unknown;
      } | null;
      /**
       * The text of the arguments: what is run and stored (PAY-017, PAY-019).
       */
      arguments_json: string | null;
      /**
       * Every defect once, in the order of paths (PAY-022): at most one of the arguments and one of the name.
       *
       * @minItems 1
       * @maxItems 2
       */
      findings: CheckToolCallFinding[];
    };
export type EffectiveToolsFinding =
  | {
      code: 'layer_malformed';
      path: string;
    }
  | {
      code: 'name_repeated';
      path: string;
    };
export type ExtractDialect =
  | 'function'
  | 'function_call'
  | 'harmony-pseudo'
  | 'tool_call'
  | 'tool_calls'
  | 'tools'
  | 'action-array'
  | 'argument-pairs'
  | 'bare-json'
  | 'bare-json-array'
  | 'beam-messages'
  | 'deepseek-calls'
  | 'deepseek-fenced-calls'
  | 'dots-invoke'
  | 'dots-json'
  | 'dsml-calls'
  | 'dsml-function-calls'
  | 'dsml-tool-calls'
  | 'function-arguments'
  | 'function-call-open'
  | 'function-call-role'
  | 'function-call-token'
  | 'function-parameters'
  | 'function-parameters-tight'
  | 'function-params'
  | 'functiongemma-call'
  | 'functools-array'
  | 'gcml-tool-calls'
  | 'gemma-call'
  | 'harmony'
  | 'hy-pairs'
  | 'hy-pairs-opensource'
  | 'ifm-pairs'
  | 'inkling-messages'
  | 'invoke-parameters'
  | 'iquest-pairs'
  | 'longcat-tool-call'
  | 'minimax-invoke'
  | 'named-args'
  | 'named-args-id'
  | 'named-calls'
  | 'param-key-pairs'
  | 'plamo-request'
  | 'plugin-action'
  | 'plugin-action-spaced'
  | 'python-calls'
  | 'python-calls-lines'
  | 'python-calls-token'
  | 'python-tag-json'
  | 'seed-parameters'
  | 'steptml-invoke'
  | 'tool-call-tag-array'
  | 'tool-call-token-array'
  | 'tool-calls-array'
  | 'toolcall-array'
  | 'tools-prefix-array'
  | 'xtml-call';
/**
 * The dialects to look for, none beside one that it excludes. Absent: those that are on by default.
 */
export type ExtractDialects = ExtractDialect[];
/**
 * The id of the format of the model, in the place of dialects.
 */
export type ExtractFormat =
  | 'anthropic-prompt'
  | 'apertus'
  | 'apriel'
  | 'beam'
  | 'bielik'
  | 'command-a'
  | 'deepseek-v3'
  | 'deepseek-v3.1'
  | 'deepseek-v3.2'
  | 'deepseek-v4'
  | 'deepseek-v4.1'
  | 'dots'
  | 'ernie'
  | 'firefunction-2'
  | 'functionary-3'
  | 'functiongemma'
  | 'gemma-3'
  | 'gemma-4'
  | 'gigachat-3'
  | 'gigachat-3.5'
  | 'glm-4.5'
  | 'glm-4.7'
  | 'gpt-oss'
  | 'granite-20b-fc'
  | 'granite-3'
  | 'granite-3.1'
  | 'granite-4'
  | 'granite-4.2'
  | 'hermes'
  | 'hunyuan'
  | 'hy-3'
  | 'hy-4'
  | 'inkling'
  | 'intern-s1'
  | 'internlm'
  | 'iquest-q1'
  | 'jamba'
  | 'k2-horizon'
  | 'kimi-k2'
  | 'kimi-k3'
  | 'laguna'
  | 'lfm-2'
  | 'ling-3'
  | 'llama-3'
  | 'llama-3-pythonic'
  | 'llama-4'
  | 'longcat'
  | 'magistral'
  | 'mimo-2'
  | 'mimo-7b'
  | 'minicpm-5'
  | 'minimax-m1'
  | 'minimax-m2'
  | 'mistral-v11'
  | 'mistral-v13'
  | 'mistral-v3'
  | 'nemotron-2'
  | 'nemotron-3'
  | 'olmo-3'
  | 'phi-4-mini'
  | 'plamo-3'
  | 'qwen3'
  | 'qwen3-coder'
  | 'reka-edge'
  | 'seed-oss'
  | 'smollm-3'
  | 'spark-2.5'
  | 'step-3'
  | 'step-3.5'
  | 'step-5'
  | 'xing-4'
  | 'xlam';
export type ExtractInput =
  | {
      /**
       * What the model wrote, whole.
       */
      text: string;
      /**
       * The names of the tools that are effective in this turn. An empty list: nothing is parsed.
       */
      effective: string[];
      /**
       * The provider delivered calls in their own field. True: nothing is parsed.
       */
      native_calls?: boolean;
      dialects?: ExtractDialects;
      format?: ExtractFormat;
      /**
       * Whether a marker in a code fence counts.
       */
      fences?: 'opaque' | 'extract';
      /**
       * The prompt ended in an opened reasoning tag.
       */
      starts_in_reasoning?: boolean;
      /**
       * The declarations of the tools, for dialects whose parameters are typed by them.
       */
      tools?: unknown[];
      limits?: ExtractLimits;
    }
  | {
      /**
       * What the model wrote, whole.
       */
      text: string;
      /**
       * There is no registry: the dialects are looked for, and nobody runs a call.
       */
      observe: true;
      /**
       * In the place of effective: the names that the watcher may show.
       */
      labels: string[];
      /**
       * The provider delivered calls in their own field. True: nothing is parsed.
       */
      native_calls?: boolean;
      dialects?: ExtractDialects;
      format?: ExtractFormat;
      /**
       * Whether a marker in a code fence counts.
       */
      fences?: 'opaque' | 'extract';
      /**
       * The prompt ended in an opened reasoning tag.
       */
      starts_in_reasoning?: boolean;
      /**
       * The declarations of the tools, for dialects whose parameters are typed by them.
       */
      tools?: unknown[];
      limits?: ExtractLimits;
    };
export type ExtractSegment =
  | {
      kind: 'text' | 'token' | 'code' | 'message';
      /**
       * The piece of the input.
       */
      text: string;
    }
  | {
      kind: 'reasoning';
      /**
       * The piece of the input.
       */
      text: string;
      /**
       * @minItems 1
       */
      codes?: 'unclosed'[];
    }
  | {
      kind: 'call';
      /**
       * The piece of the input.
       */
      text: string;
      dialect: ExtractDialect;
      /**
       * How many calls the block gave; 0 for a tag of a wrapper.
       */
      calls: number;
      /**
       * @minItems 1
       */
      codes?: (
        | 'empty'
        | 'truncated'
        | 'not_json'
        | 'invalid_json'
        | 'trailing_text'
        | 'reserved_header'
        | 'payload_too_large'
        | 'too_deep'
        | 'not_a_call'
        | 'members_unknown'
        | 'declaration'
        | 'name_missing'
        | 'name_not_string'
        | 'name_blank'
        | 'name_not_sendable'
        | 'arguments_missing'
        | 'arguments_empty'
        | 'arguments_too_deep'
        | 'arguments_invalid_json'
        | 'arguments_not_object'
        | 'ambiguous_arguments'
        | 'unclosed'
      )[];
    }
  | {
      kind: 'rejected';
      /**
       * The piece of the input.
       */
      text: string;
      dialect: ExtractDialect;
      /**
       * @minItems 1
       */
      codes: (
        | 'empty'
        | 'truncated'
        | 'not_json'
        | 'invalid_json'
        | 'trailing_text'
        | 'reserved_header'
        | 'payload_too_large'
        | 'too_deep'
        | 'not_a_call'
        | 'members_unknown'
        | 'declaration'
        | 'name_missing'
        | 'name_not_string'
        | 'name_blank'
        | 'name_not_sendable'
        | 'arguments_missing'
        | 'arguments_empty'
        | 'arguments_too_deep'
        | 'arguments_invalid_json'
        | 'arguments_not_object'
        | 'ambiguous_arguments'
        | 'unclosed'
      )[];
    };
export type ExtractionStreamEvent =
  | {
      text: string;
    }
  | {
      reasoning: string;
    }
  | {
      call: number;
    };
export type ExtractionStreamInput =
  | {
      /**
       * What the model wrote, in the order in which it arrived.
       */
      chunks: string[];
      /**
       * The names of the tools that are effective in this turn. An empty list: nothing is parsed.
       */
      effective: string[];
      /**
       * The provider delivered calls in their own field. True: nothing is parsed.
       */
      native_calls?: boolean;
      dialects?: ExtractDialects;
      format?: ExtractFormat;
      /**
       * Whether a marker in a code fence counts.
       */
      fences?: 'opaque' | 'extract';
      /**
       * The prompt ended in an opened reasoning tag.
       */
      starts_in_reasoning?: boolean;
      /**
       * The declarations of the tools, for dialects whose parameters are typed by them.
       */
      tools?: unknown[];
      limits?: ExtractLimits;
    }
  | {
      /**
       * What the model wrote, in the order in which it arrived.
       */
      chunks: string[];
      /**
       * There is no registry: the dialects are looked for, and nobody runs a call.
       */
      observe: true;
      /**
       * In the place of effective: the names that the watcher may show.
       */
      labels: string[];
      /**
       * The provider delivered calls in their own field. True: nothing is parsed.
       */
      native_calls?: boolean;
      dialects?: ExtractDialects;
      format?: ExtractFormat;
      /**
       * Whether a marker in a code fence counts.
       */
      fences?: 'opaque' | 'extract';
      /**
       * The prompt ended in an opened reasoning tag.
       */
      starts_in_reasoning?: boolean;
      /**
       * The declarations of the tools, for dialects whose parameters are typed by them.
       */
      tools?: unknown[];
      limits?: ExtractLimits;
    };
/**
 * A change: a code and where it stands, and nothing that was written there (PAY-087).
 */
export type FlattenHistoryFinding =
  | {
      code: 'result_flattened' | 'result_orphaned';
      path: string;
    }
  | {
      code: 'tool_calls_empty' | 'tool_calls_misplaced' | 'tool_calls_not_array';
      path: string;
    }
  | {
      code: 'call_flattened';
      path: string;
    }
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
      code: 'arguments_empty' | 'arguments_invalid_json' | 'arguments_not_object' | 'arguments_too_deep';
      path: string;
      /**
       * The length of the arguments text in UTF-8.
       */
      bytes: number;
    }
  | {
      code: 'arguments_invalid_json' | 'arguments_not_object';
      path: string;
    };
/**
 * Any JSON but a tool turn (PAY-091).
 */
export type FlattenHistoryMessage = unknown;
/**
 * A digest: 64 lower-case hexadecimal digits.
 */
export type HashArgumentsDigest = string;
/**
 * What the operation takes (EVT-001). That it nests at most 128 deep is beyond a schema.
 */
export type HashArgumentsInput =
  | {
      arguments: unknown;
      /**
       * The arguments as a text: any text, because it is judged.
       */
      arguments_json?: string;
      /**
       * Whether the whole canonical text is hashed, too; absent means false.
       */
      full?: boolean;
      key?: HashArgumentsKey;
    }
  | {
      arguments?: unknown;
      /**
       * The arguments as a text: any text, because it is judged.
       */
      arguments_json: string;
      /**
       * Whether the whole canonical text is hashed, too; absent means false.
       */
      full?: boolean;
      key?: HashArgumentsKey;
    };
/**
 * What may be known of the arguments.
 */
export type HashArgumentsResult =
  | {
      args_preview_hash: HashArgumentsDigest;
      args_hash?: HashArgumentsDigest;
      /**
       * How the digests were made (EVT-009).
       */
      algorithm: 'hmac-sha256';
      /**
       * The id of the key, when there was one.
       */
      key_id: string;
    }
  | {
      args_preview_hash: HashArgumentsDigest;
      args_hash?: HashArgumentsDigest;
      /**
       * How the digests were made (EVT-009).
       */
      algorithm: 'sha256';
    };
export type PlanTurnFinding =
  | {
      code: 'capability_malformed';
      path:
        | '/capability'
        | '/capability/parallel_tool_calls'
        | '/capability/tool_calls_supported'
        | '/capability/tool_choice';
    }
  | {
      code: 'layer_malformed';
      path: string;
    }
  | {
      code: 'name_repeated';
      path: string;
    };
/**
 * The plan: one decision for every place where tools matter.
 */
export type PlanTurnResult =
  | {
      /**
       * How calls travel (CAP-032 to CAP-034).
       */
      protocol: 'native';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @minItems 1
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-036).
       */
      send_tools: true;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-037).
       */
      send_tool_choice: null | ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-038).
       */
      send_parallel_tool_calls: boolean | null;
      /**
       * Whether the prompt lists the tools (CAP-039).
       */
      prompt_catalogue: false;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-039).
       */
      prompt_protocol: false;
      /**
       * Whether calls in the field for them count (CAP-040).
       */
      parse_native_calls: true;
      /**
       * Whether calls in the text count (CAP-041).
       */
      parse_text_calls: boolean;
      /**
       * Always true (CAP-042).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-043).
       */
      history: 'keep';
      /**
       * What could not be read, and which names stood twice (CAP-044).
       */
      findings: PlanTurnFinding[];
    }
  | {
      /**
       * How calls travel (CAP-032 to CAP-034).
       */
      protocol: 'text';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @minItems 1
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-036).
       */
      send_tools: false;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-037).
       *
       * @maxItems 0
       */
      send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-038).
       */
      send_parallel_tool_calls: false;
      /**
       * Whether the prompt lists the tools (CAP-039).
       */
      prompt_catalogue: true;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-039).
       */
      prompt_protocol: true;
      /**
       * Whether calls in the field for them count (CAP-040).
       */
      parse_native_calls: false;
      /**
       * Whether calls in the text count (CAP-041).
       */
      parse_text_calls: true;
      /**
       * Always true (CAP-042).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-043).
       */
      history: 'keep' | 'flatten';
      /**
       * What could not be read, and which names stood twice (CAP-044).
       */
      findings: PlanTurnFinding[];
    }
  | {
      /**
       * How calls travel (CAP-032 to CAP-034).
       */
      protocol: 'none';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @maxItems 0
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-036).
       */
      send_tools: false;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-037).
       *
       * @maxItems 0
       */
      send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-038).
       */
      send_parallel_tool_calls: false;
      /**
       * Whether the prompt lists the tools (CAP-039).
       */
      prompt_catalogue: false;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-039).
       */
      prompt_protocol: false;
      /**
       * Whether calls in the field for them count (CAP-040).
       */
      parse_native_calls: false;
      /**
       * Whether calls in the text count (CAP-041).
       */
      parse_text_calls: false;
      /**
       * Always true (CAP-042).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-043).
       */
      history: 'keep' | 'flatten';
      /**
       * What could not be read, and which names stood twice (CAP-044).
       */
      findings: PlanTurnFinding[];
    };
/**
 * A change: a code and where it was made, and nothing that stood there (TRN-050).
 */
export type PrepareFinding =
  | {
      code: 'layer_malformed';
      path: string;
    }
  | {
      code: 'name_repeated';
      path: string;
    }
  | {
      code:
        | 'bridge_inserted'
        | 'message_empty'
        | 'message_not_object'
        | 'messages_joined'
        | 'result_of_skipped_call'
        | 'result_orphaned'
        | 'result_replaced'
        | 'role_unknown';
      path: string;
    }
  | {
      code: 'function_call_removed';
      path: string;
    }
  | {
      code: 'calls_split' | 'tool_calls_empty' | 'tool_calls_misplaced' | 'tool_calls_not_array';
      path: string;
    }
  | {
      code: 'members_unknown';
      path: string;
    }
  | {
      code: 'opaque_removed';
      path: string;
    }
  | {
      code: 'media_removed' | 'part_unknown';
      path: string;
    }
  | {
      code: 'name_not_string' | 'null_omitted';
      path: string;
    }
  | {
      code: 'call_not_object' | 'result_missing';
      path: string;
    }
  | {
      code: 'type_coerced';
      path: string;
    }
  | {
      code: 'id_replaced';
      path: string;
    }
  | {
      code: 'role_coerced';
      path: string;
    }
  | {
      code: 'name_coerced';
      path: string;
    }
  | {
      code: 'content_coerced' | 'result_content_coerced';
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
      code: 'arguments_coerced';
      path: string;
    }
  | {
      code: 'arguments_empty' | 'arguments_invalid_json' | 'arguments_not_object' | 'arguments_too_deep';
      path: string;
      /**
       * The length of the arguments text in UTF-8.
       */
      bytes?: number;
    }
  | {
      code: 'history_flattened';
      path: string;
    }
  | {
      code: 'schema_unsafe' | 'tool_malformed' | 'tool_not_effective';
      path: string;
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
    }
  | {
      code: 'capability_unsupported' | 'protocol_text' | 'tools_absent' | 'tools_empty' | 'tools_not_array';
      path: string;
    }
  | {
      code: 'choice_not_offered';
      path: string;
    }
  | {
      code: 'parallel_not_boolean' | 'parallel_not_offered' | 'parallel_not_taken';
      path: string;
    }
  | {
      code: 'parameters_added' | 'parameters_completed';
      path: string;
    }
  | {
      code: 'strict_not_boolean' | 'strict_not_taken';
      path: string;
    }
  | {
      code: 'description_cut';
      path: string;
    }
  | {
      code: 'description_not_string';
      path: string;
    }
  | {
      code: 'name_aliased';
      path: string;
    };
export type ProfileLimit = number | null;
export type ProfileNames = string[];
/**
 * Why, by the first target that is closed, else by the first (CAP-021).
 */
export type ResolveReason =
  | 'exact'
  | 'alias'
  | 'prefix'
  | 'provider_default'
  | 'inferred_not_allowed'
  | 'malformed_entry'
  | 'unknown_model'
  | 'unknown_provider'
  | 'registry_invalid'
  | 'no_target';
/**
 * Where the entry of each target stands; null where it has none (CAP-022).
 */
export type ResolveMatched = (null | {
  /**
   * The position of the registry.
   */
  layer: number;
  /**
   * The model, the prefix, or the word default, as the registry writes it.
   */
  key: string;
})[];
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
/**
 * The position of the call in the request, from 0.
 */
export type RecordCallsSeq = number;
/**
 * A digest: 64 lower-case hexadecimal digits.
 */
export type RecordCallsDigest = string;
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
       * Why the call could not be read, where somebody else tried.
       */
      error_type?: 'tool_payload_too_large' | 'tool_payload_parse_error';
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
 * What the operation takes (EVT-012). That it nests at most 128 deep is beyond a schema.
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
 * A latency in milliseconds.
 */
export type RecordCallsLatency = number;
/**
 * A capability, and why it is that.
 */
export type ResolveResult =
  | {
      /**
       * Whether every target supports tool calls (CAP-005).
       */
      tool_calls_supported: true;
      /**
       * The choices that every target takes, in this order; null where nothing is stated (CAP-018).
       */
      tool_choice: null | ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether every target takes parallel calls; null where that is not stated (CAP-019).
       */
      parallel_tool_calls: boolean | null;
      /**
       * Why, by the first target that is closed, else by the first (CAP-021).
       */
      reason: 'exact' | 'alias' | 'prefix' | 'provider_default';
      matched: ResolveMatched;
      /**
       * Whether the entry of any target is a prefix or a default (CAP-016).
       */
      inferred: boolean;
    }
  | {
      /**
       * Whether every target supports tool calls (CAP-005).
       */
      tool_calls_supported: false;
      /**
       * The choices that every target takes, in this order; null where nothing is stated (CAP-018).
       *
       * @maxItems 0
       */
      tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether every target takes parallel calls; null where that is not stated (CAP-019).
       */
      parallel_tool_calls: false;
      reason: ResolveReason;
      matched: ResolveMatched;
      /**
       * Whether the entry of any target is a prefix or a default (CAP-016).
       */
      inferred: boolean;
    };
/**
 * A change: a code and where it stands, and nothing that was written there (PAY-087).
 */
export type SanitizeHistoryFinding =
  | {
      code:
        | 'bridge_inserted'
        | 'message_empty'
        | 'message_not_object'
        | 'messages_joined'
        | 'result_of_skipped_call'
        | 'result_orphaned'
        | 'result_replaced'
        | 'role_unknown';
      path: string;
    }
  | {
      code: 'function_call_removed';
      path: string;
    }
  | {
      code: 'calls_split' | 'tool_calls_empty' | 'tool_calls_misplaced' | 'tool_calls_not_array';
      path: string;
    }
  | {
      code: 'role_coerced';
      path: string;
    }
  | {
      code: 'result_missing';
      path: string;
    }
  | {
      code: 'type_coerced';
      path: string;
    }
  | {
      code: 'arguments_coerced';
      path: string;
    }
  | {
      code: 'name_coerced';
      path: string;
    }
  | {
      code: 'id_replaced';
      path: string;
    }
  | {
      code: 'content_coerced' | 'result_content_coerced';
      path: string;
    }
  | {
      code: 'members_unknown';
      path: string;
    }
  | {
      code: 'opaque_removed';
      path: string;
    }
  | {
      code: 'media_removed' | 'part_unknown';
      path: string;
    }
  | {
      code: 'name_not_string' | 'null_omitted';
      path: string;
    }
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
      code: 'arguments_empty' | 'arguments_invalid_json' | 'arguments_not_object' | 'arguments_too_deep';
      path: string;
      /**
       * The length of the arguments text in UTF-8.
       */
      bytes: number;
    }
  | {
      code: 'arguments_invalid_json' | 'arguments_not_object';
      path: string;
    };
/**
 * A message of the output (PAY-061 to PAY-064).
 */
export type SanitizeHistoryMessage =
  | {
      role: 'assistant';
      /**
       * @minItems 1
       */
      tool_calls?: SanitizeHistoryCall[];
      tool_call_id?: unknown;
      content?: unknown;
      [k: string]: unknown;
    }
  | {
      role: 'tool';
      tool_call_id: string;
      content: string | SanitizeHistoryParts;
      [k: string]: unknown;
    }
  | {
      role: 'system' | 'developer' | 'user';
      tool_call_id?: unknown;
      content?: unknown;
      [k: string]: unknown;
    };
/**
 * A list of parts: texts, and media where the profile takes them (PAY-150).
 *
 * @minItems 1
 */
export type SanitizeHistoryParts = (
  | {
      type: 'text';
      text: string;
      [k: string]: unknown;
    }
  | {
      type: 'image_url' | 'input_audio' | 'audio_url' | 'video_url' | 'file';
      text?: unknown;
      [k: string]: unknown;
    }
)[];
/**
 * A change: a code and where it was made, and nothing that stood there (PAY-057).
 */
export type SanitizeRequestFinding =
  | {
      code: 'payload_not_object';
      path: '/request';
    }
  | {
      code: 'null_omitted';
      path: string;
    }
  | {
      code: 'capability_unsupported' | 'tools_absent' | 'tools_not_array' | 'tools_empty';
      path:
        | '/request/function_call'
        | '/request/functions'
        | '/request/parallel_tool_calls'
        | '/request/tool_choice'
        | '/request/tools';
    }
  | {
      code: 'tool_malformed' | 'schema_unsafe';
      path: string;
    }
  | {
      code: 'choice_not_offered';
      path: '/request/parallel_tool_calls' | '/request/tool_choice' | '/request/tools';
    }
  | {
      code: 'parallel_not_boolean' | 'parallel_not_offered' | 'parallel_not_taken';
      path: '/request/parallel_tool_calls';
    }
  | {
      code: 'parameters_added' | 'parameters_completed';
      path: string;
    }
  | {
      code: 'strict_not_boolean' | 'strict_not_taken';
      path: string;
    }
  | {
      code: 'description_cut';
      path: string;
    }
  | {
      code: 'description_not_string';
      path: string;
    }
  | {
      code: 'name_aliased';
      path: string;
    };
export type SettleErrorType =
  | 'tool_payload_too_large'
  | 'tool_payload_parse_error'
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
 * The form date-time of RFC 3339 in upper case.
 */
export type ToCloudeventsTimestamp = string;
/**
 * One well-formed event.
 */
export type ToCloudeventsEvent = RecordCallsPlanned | RecordCallsResultOk | RecordCallsResultError;
/**
 * One well-formed event.
 */
export type ToOtelEvent = RecordCallsPlanned | RecordCallsResultOk | RecordCallsResultError;
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
 * What the operation takes (PAY-001). That it nests at most 128 deep is beyond a schema.
 */
export type CheckToolCallInput = {
  tool_call: unknown;
  /**
   * Whether the provider said that its answer was cut off; absent means false.
   */
  truncated?: boolean;
  /**
   * What a blank arguments text means; absent means reject.
   */
  empty_arguments?: 'reject' | 'allow_if_none_required';
  tool?: unknown;
};
/**
 * A code and where it stands.
 */
export type CheckTraceFinding = {
  /**
   * What is wrong.
   */
  code:
    | 'event_malformed'
    | 'planned_twice'
    | 'result_without_planned'
    | 'result_twice'
    | 'planned_without_result'
    | 'tool_mismatch'
    | 'call_id_mismatch'
    | 'seq_gap';
  /**
   * An event or, for event_malformed, also a member of one (EVT-061).
   */
  path: string;
};
/**
 * What the operation takes (EVT-060). That it nests at most 128 deep is beyond a schema.
 */
export type CheckTraceInput = {
  /**
   * The events, in the order in which they came: any JSON, because it is judged.
   */
  events: unknown[];
};
/**
 * What is wrong with the events.
 */
export type CheckTraceResult = {
  /**
   * In the order of the events (EVT-061 to EVT-070).
   */
  findings: CheckTraceFinding[];
};
/**
 * What the operation takes (CAP-023). That it nests at most 128 deep is beyond a schema.
 */
export type EffectiveToolsInput = {
  /**
   * The names of the tools that the runtime has, in their order.
   */
  registered: string[];
  /**
   * Policies, as {allow, exclude} with at least one of the two: any JSON, because each is judged.
   */
  layers: unknown[];
};
/**
 * What the policies leave.
 */
export type EffectiveToolsResult = {
  /**
   * The names that are left, in the order of their registration (CAP-024, CAP-025).
   */
  effective: string[];
  /**
   * What could not be read, and which names stood twice (CAP-030).
   */
  findings: EffectiveToolsFinding[];
};
export type ExtractCall = {
  /**
   * From the injected generator.
   */
  id: string;
  name: string;
  /**
   * What arguments_json decodes to.
   */
  arguments: {
    [k: string]: unknown;
  };
  /**
   * The text for the wire and for dispatch.
   */
  arguments_json: string;
};
export type ExtractLimits = {
  /**
   * The longest text between the markers of a dialect that has a limit, in bytes of UTF-8.
   */
  payload_bytes: number;
};
export type ExtractRepair = {
  code: 'code_fence' | 'control_chars' | 'missing_closer' | 'missing_object_close' | 'trailing_comma';
  count: number;
};
export type ExtractResult = {
  /**
   * The text that is left. Null: something was removed and nothing visible is left.
   */
  content: string | null;
  /**
   * The reasoning, apart. Null: there was none.
   */
  reasoning: string | null;
  /**
   * The calls, in the order of the text.
   */
  tool_calls: ExtractCall[];
  /**
   * The calls that were meant and could not be read, in the order of the text. Absent: none.
   *
   * @minItems 1
   */
  unreadable?: ExtractUnreadable[];
  /**
   * How many rejected blocks meant no call. Absent: none.
   */
  removed?: number;
  /**
   * Diagnostics. The dialects of all blocks and wrappers, by their first opener.
   */
  matched: ExtractDialect[];
  /**
   * Diagnostics. What accepted payloads needed.
   */
  repairs: ExtractRepair[];
  /**
   * Diagnostics. The input in pieces, and what became of each.
   */
  segments: ExtractSegment[];
};
export type ExtractUnreadable = {
  /**
   * How many calls stand before it.
   */
  before: number;
  /**
   * Its name, where it was read.
   */
  name: string | null;
  error_type: 'tool_payload_too_large' | 'tool_payload_parse_error';
};
export type ExtractionStreamResult = {
  result: ExtractResult;
  /**
   * The events of each chunk, and of the end. Judged by laws; a case compares them where only one answer is right.
   */
  emitted: ExtractionStreamEvent[][];
};
/**
 * What the operation takes (CAP-045). That it nests at most 128 deep is beyond a schema.
 */
export type FilterPromptInput = {
  /**
   * The whole prompt, in order.
   */
  sections: FilterPromptSection[];
  /**
   * The plan of the turn. Its other members are not read.
   */
  plan: {
    effective: string[];
    prompt_catalogue: boolean;
    prompt_protocol: boolean;
    [k: string]: unknown;
  };
};
export type FilterPromptSection = {
  /**
   * A name for the section.
   */
  id: string;
  /**
   * What a turn has to have before the section is of use; null is every turn.
   */
  needs:
    | (null | 'tools' | 'catalogue' | 'protocol')
    | {
        tool: string;
      };
  /**
   * What stands in the prompt.
   */
  text: string;
};
/**
 * What this turn has a use for.
 */
export type FilterPromptResult = {
  /**
   * Sections of the input, unchanged and in order (CAP-046).
   */
  sections: FilterPromptSection[];
};
/**
 * What the operation takes (PAY-090). That it nests at most 128 deep is beyond a schema.
 */
export type FlattenHistoryInput = {
  /**
   * The history: any JSON in each place, because it is judged.
   */
  messages: unknown[];
  /**
   * How calls and results are written.
   */
  form: 'quoted' | 'blocks';
  /**
   * The names that may be shown; absent means all (PAY-148).
   */
  effective?: string[];
};
/**
 * The history without tool turns, and what became text.
 */
export type FlattenHistoryResult = {
  /**
   * The messages; what was no tool turn is as it was given (PAY-102).
   */
  messages: FlattenHistoryMessage[];
  /**
   * Every change once, in the order of paths (PAY-103).
   */
  findings: FlattenHistoryFinding[];
};
/**
 * The key of a keyed hash.
 */
export type HashArgumentsKey = {
  /**
   * Names the key; shown beside the hash.
   */
  id: string;
  /**
   * The bytes of the secret, two hexadecimal digits each.
   */
  secret_hex: string;
};
/**
 * What the operation takes (CAP-031). That it nests at most 128 deep is beyond a schema.
 */
export type PlanTurnInput = {
  /**
   * The names of the tools that the runtime has, in their order.
   */
  registered: string[];
  /**
   * Policies, as for effective_tools: any JSON, because each is judged.
   */
  layers: unknown[];
  capability: unknown;
  /**
   * Whether the runtime can describe tools in the prompt and find calls in the text.
   */
  text_protocol: boolean;
  /**
   * Whether calls count only in the form that was asked for; absent means false.
   */
  strict_parsing?: boolean;
  /**
   * The history, read for tool turns only; absent means empty. Any JSON, because each is judged.
   */
  messages?: unknown[];
};
/**
 * What the operation takes (TRN-001). That it nests at most 128 deep is beyond a schema.
 */
export type PrepareInput = {
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
   * Whether a prefix or a provider's default may open a model; absent means false.
   */
  allow_inferred?: boolean;
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
   * What the provider takes beyond the common form; absent means that no provider is known.
   */
  profile?: ProfileInput;
};
/**
 * The `profile` of an operation's input: flags, and what the caller knows of the history.
 */
export type ProfileInput = {
  strict_field?: 'any' | 'uniform' | 'none';
  parallel_field?: boolean;
  name_start?: 'any' | 'letter';
  max_tools?: ProfileLimit;
  max_description?: ProfileLimit;
  ids?: 'any' | 'verbatim' | 'word_64' | 'word_40' | 'alphanumeric_9';
  content_beside_calls?: 'any' | 'string';
  result_content?: 'any' | 'parts' | 'string';
  result_name?: 'any' | 'call' | 'none';
  developer_role?: boolean;
  system_anywhere?: boolean;
  repeated_roles?: boolean;
  calls_in_message?: 'any' | 'one';
  user_after_tool?: boolean;
  unknown_members?: 'any' | 'none';
  opaque_members?: ProfileNames;
  opaque_parts?: ProfileNames;
  origin?: ProfileOrigin;
};
/**
 * The provider and the model that the request goes to.
 */
export type ProfileOrigin = {
  provider: string;
  model: string;
};
/**
 * What is sent, and the plan that says how the answer is read.
 */
export type PrepareResult = {
  request: unknown;
  /**
   * The sections of the prompt that this turn has a use for (TRN-007).
   */
  sections: FilterPromptSection[];
  /**
   * The plan: one decision for every place where tools matter.
   */
  plan:
    | {
        /**
         * How calls travel (CAP-032 to CAP-034).
         */
        protocol: 'native';
        /**
         * The one set of names for sending, describing, parsing and running (CAP-035).
         *
         * @minItems 1
         */
        effective: string[];
        /**
         * Whether the request has tools at all (CAP-036).
         */
        send_tools: true;
        /**
         * The choices that the request may have; null where nothing is stated (CAP-037).
         */
        send_tool_choice: null | ('auto' | 'none' | 'required' | 'named')[];
        /**
         * Whether the request may ask for parallel calls; null where nothing is stated (CAP-038).
         */
        send_parallel_tool_calls: boolean | null;
        /**
         * Whether the prompt lists the tools (CAP-039).
         */
        prompt_catalogue: false;
        /**
         * Whether the prompt teaches the syntax of calls (CAP-039).
         */
        prompt_protocol: false;
        /**
         * Whether calls in the field for them count (CAP-040).
         */
        parse_native_calls: true;
        /**
         * Whether calls in the text count (CAP-041).
         */
        parse_text_calls: boolean;
        /**
         * Always true (CAP-042).
         */
        strip_reasoning: true;
        /**
         * Whether tool turns in the history have to become text (CAP-043).
         */
        history: 'keep';
        /**
         * What could not be read, and which names stood twice (CAP-044).
         *
         * @maxItems 0
         */
        findings: PlanTurnFinding[];
      }
    | {
        /**
         * How calls travel (CAP-032 to CAP-034).
         */
        protocol: 'text';
        /**
         * The one set of names for sending, describing, parsing and running (CAP-035).
         *
         * @minItems 1
         */
        effective: string[];
        /**
         * Whether the request has tools at all (CAP-036).
         */
        send_tools: false;
        /**
         * The choices that the request may have; null where nothing is stated (CAP-037).
         *
         * @maxItems 0
         */
        send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
        /**
         * Whether the request may ask for parallel calls; null where nothing is stated (CAP-038).
         */
        send_parallel_tool_calls: false;
        /**
         * Whether the prompt lists the tools (CAP-039).
         */
        prompt_catalogue: true;
        /**
         * Whether the prompt teaches the syntax of calls (CAP-039).
         */
        prompt_protocol: true;
        /**
         * Whether calls in the field for them count (CAP-040).
         */
        parse_native_calls: false;
        /**
         * Whether calls in the text count (CAP-041).
         */
        parse_text_calls: true;
        /**
         * Always true (CAP-042).
         */
        strip_reasoning: true;
        /**
         * Whether tool turns in the history have to become text (CAP-043).
         */
        history: 'keep' | 'flatten';
        /**
         * What could not be read, and which names stood twice (CAP-044).
         *
         * @maxItems 0
         */
        findings: PlanTurnFinding[];
      }
    | {
        /**
         * How calls travel (CAP-032 to CAP-034).
         */
        protocol: 'none';
        /**
         * The one set of names for sending, describing, parsing and running (CAP-035).
         *
         * @maxItems 0
         */
        effective: string[];
        /**
         * Whether the request has tools at all (CAP-036).
         */
        send_tools: false;
        /**
         * The choices that the request may have; null where nothing is stated (CAP-037).
         *
         * @maxItems 0
         */
        send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
        /**
         * Whether the request may ask for parallel calls; null where nothing is stated (CAP-038).
         */
        send_parallel_tool_calls: false;
        /**
         * Whether the prompt lists the tools (CAP-039).
         */
        prompt_catalogue: false;
        /**
         * Whether the prompt teaches the syntax of calls (CAP-039).
         */
        prompt_protocol: false;
        /**
         * Whether calls in the field for them count (CAP-040).
         */
        parse_native_calls: false;
        /**
         * Whether calls in the text count (CAP-041).
         */
        parse_text_calls: false;
        /**
         * Always true (CAP-042).
         */
        strip_reasoning: true;
        /**
         * Whether tool turns in the history have to become text (CAP-043).
         */
        history: 'keep' | 'flatten';
        /**
         * What could not be read, and which names stood twice (CAP-044).
         *
         * @maxItems 0
         */
        findings: PlanTurnFinding[];
      };
  /**
   * The original of each name that was changed, by the sent name.
   */
  aliases: {
    [k: string]: string;
  };
  /**
   * Why the capability is what it is (TRN-011).
   */
  reason: ResolveReason;
  /**
   * Where the entry of each target stands; null where it has none (TRN-012).
   */
  matched: ResolveMatched;
  /**
   * How many invalid calls the history lost; absent means none (TRN-013).
   */
  skipped?: number;
  /**
   * Every change once, in the order of paths (TRN-010).
   */
  findings: PrepareFinding[];
};
export type ReceiveAnswer = {
  /**
   * The position of the call in the message, from 0.
   */
  seq: number;
  id: string;
  error_type: 'tool_payload_too_large' | 'tool_payload_parse_error' | 'tool_not_available';
};
export type ReceiveDispatched = {
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
};
/**
 * What the operation takes (TRN-020). That it nests at most 128 deep is beyond a schema.
 */
export type ReceiveInput = {
  /**
   * The plan of the turn. Its other members are not read.
   */
  plan: {
    effective: string[];
    parse_native_calls: boolean;
    parse_text_calls: boolean;
    [k: string]: unknown;
  };
  /**
   * What the model gave. Another member has a name that `opaque_members` of the profile holds, which is beyond a schema.
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
    function_call?: unknown;
    [k: string]: unknown;
  };
  /**
   * Stands in every event.
   */
  request_id: string;
  /**
   * What enters the history of an invalid call.
   */
  disposition: 'skip' | 'answer';
  request?: unknown;
  /**
   * The original of each name that was changed, by the sent name.
   */
  aliases?: {
    [k: string]: string;
  };
  /**
   * The declarations of the tools, with the names that the runtime knows, as for extraction.extract.
   */
  tools?: unknown[];
  dialects?: ExtractDialects;
  format?: ExtractFormat;
  /**
   * Whether a marker in a code fence counts; absent means opaque.
   */
  fences?: 'opaque' | 'extract';
  /**
   * Whether the prompt ended in an opened reasoning tag; absent means false.
   */
  starts_in_reasoning?: boolean;
  limits?: ExtractLimits;
  /**
   * What a blank arguments text of a native call means; absent means reject.
   */
  empty_arguments?: 'reject' | 'allow_if_none_required';
  key?: RecordCallsKey;
  /**
   * What is opaque in the message, and where it came from; absent means that no provider is known.
   */
  profile?: ProfileInput;
};
/**
 * The key of a keyed hash.
 */
export type RecordCallsKey = {
  /**
   * Names the key; shown beside the hash.
   */
  id: string;
  /**
   * The bytes of the secret, two hexadecimal digits each.
   */
  secret_hex: string;
};
/**
 * What is shown, run, answered and stored.
 */
export type ReceiveResult = {
  /**
   * What is left of the text (TRN-022).
   */
  content: string | null;
  /**
   * The reasoning, apart.
   */
  reasoning: string | null;
  /**
   * What enters the history, in wire form (TRN-029).
   */
  calls: ReceiveWireCall[];
  /**
   * What is to be run (TRN-027).
   */
  dispatch: ReceiveDispatched[];
  /**
   * What is not to be run, and why (TRN-028).
   */
  answers: ReceiveAnswer[];
  /**
   * An event for each call (TRN-026).
   *
   * Items: A call was seen.
   */
  planned: {
    type: 'ToolCallPlanned';
    request_id: string;
    seq: RecordCallsSeq;
    /**
     * An effective name, or unknown (EVT-016).
     */
    tool: string;
    /**
     * Null where no arguments were read (EVT-017).
     */
    args_preview_hash: RecordCallsDigest | null;
    /**
     * Stands with a key only (EVT-018).
     */
    args_hash_algorithm?: 'hmac-sha256';
    /**
     * The id of the key.
     */
    args_hash_key_id?: string;
    args_schema_version?: string;
    tool_call_id: string;
  }[];
  /**
   * How many answers stand for a call that could not be read (TRN-031).
   */
  unreadable: number;
  /**
   * How many blocks went without a call or an answer in their place (TRN-032).
   */
  removed: number;
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
    /**
     * @minItems 1
     */
    parts?: {
      type: string;
      [k: string]: unknown;
    }[];
  };
  /**
   * Every defect once, in the order of paths (TRN-030).
   */
  findings: ReceiveFinding[];
};
export type ReceiveWireCall = {
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
};
/**
 * What the execution came to; without one the no-op executes.
 */
export type RecordCallsOutcome = {
  status: unknown;
  latency_ms?: unknown;
  error_type?: unknown;
  content?: unknown;
};
/**
 * The counter of one tool and one status.
 */
export type RecordCallsCounter = {
  tool: string;
  status: 'ok' | 'error';
  value: number;
};
/**
 * The latencies of one tool.
 */
export type RecordCallsHistogram = {
  tool: string;
  count: number;
  sum: number;
  /**
   * Cumulative counts for the bounds 10, 20, 40 to 81,920, and of all (EVT-045).
   *
   * @minItems 15
   * @maxItems 15
   */
  buckets: number[];
};
/**
 * What the request adds to the metrics.
 */
export type RecordCallsMetrics = {
  /**
   * The counter (EVT-043).
   */
  tool_calls_total: RecordCallsCounter[];
  /**
   * The histogram (EVT-044).
   */
  tool_call_latency_ms: RecordCallsHistogram[];
};
/**
 * What is shown for one Result.
 */
export type RecordCallsOutput = {
  seq: RecordCallsSeq;
  channel: 'commentary';
  /**
   * What the tool returned, the canned result, or the message.
   */
  content: string;
};
/**
 * A call was seen.
 */
export type RecordCallsPlanned = {
  type: 'ToolCallPlanned';
  request_id: string;
  seq: RecordCallsSeq;
  /**
   * An effective name, or unknown (EVT-016).
   */
  tool: string;
  /**
   * Null where no arguments were read (EVT-017).
   */
  args_preview_hash: RecordCallsDigest | null;
  /**
   * Stands with a key only (EVT-018).
   */
  args_hash_algorithm?: 'hmac-sha256';
  /**
   * The id of the key.
   */
  args_hash_key_id?: string;
  args_schema_version?: string;
  tool_call_id?: string;
};
/**
 * What is logged, counted and shown.
 */
export type RecordCallsResult = {
  /**
   * A Planned and a Result for each call (EVT-013).
   */
  events: (RecordCallsPlanned | RecordCallsResultOk | RecordCallsResultError)[];
  metrics: RecordCallsMetrics;
  /**
   * What is shown outside, one for each Result (EVT-048).
   */
  outputs: RecordCallsOutput[];
};
/**
 * The Result of a call that went well.
 */
export type RecordCallsResultOk = {
  type: 'ToolCallResult';
  request_id: string;
  seq: RecordCallsSeq;
  tool: string;
  status: 'ok';
  latency_ms?: RecordCallsLatency;
  tool_call_id?: string;
};
/**
 * The Result of any other call: its error type and the fixed text of that (EVT-023).
 */
export type RecordCallsResultError = {
  type: 'ToolCallResult';
  request_id: string;
  seq: RecordCallsSeq;
  tool: string;
  status: 'error';
  latency_ms?: RecordCallsLatency;
  error_type:
    | 'tool_payload_too_large'
    | 'tool_payload_parse_error'
    | 'tool_not_available'
    | 'tool_denied'
    | 'tool_timeout'
    | 'tool_aborted'
    | 'tool_error';
  message:
    | 'The tool call was not run: its payload is too large.'
    | 'The tool call was not run: its payload could not be read.'
    | 'The tool call was not run: the tool is not available.'
    | 'The tool call was not run: it was denied.'
    | 'The tool call took too long and was given up.'
    | 'The tool call was aborted before it had a result.'
    | 'The tool call failed.';
  tool_call_id?: string;
};
/**
 * What the operation takes (CAP-004). That it nests at most 128 deep is beyond a schema.
 */
export type ResolveInput = {
  /**
   * The registry documents, the first before the others: any JSON, because each is judged.
   */
  registries: unknown[];
  /**
   * The models that the request can reach, as {provider, model}: any JSON, because each is judged.
   */
  targets: unknown[];
  /**
   * Whether a prefix or a provider's default may open a model; absent means false.
   */
  allow_inferred?: boolean;
};
/**
 * A call in its wire form (PAY-077 to PAY-081); other members are those that were given.
 */
export type SanitizeHistoryCall = {
  id: string;
  type: 'function';
  function: {
    name: string;
    /**
     * The text of an object.
     */
    arguments: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
};
/**
 * What the operation takes (PAY-060). That it nests at most 128 deep is beyond a schema.
 */
export type SanitizeHistoryInput = {
  /**
   * The history: any JSON in each place, because it is judged.
   */
  messages: unknown[];
  /**
   * What becomes of an invalid call.
   */
  disposition: 'skip' | 'answer';
  /**
   * Whether the last assistant message still waits for results; absent means false.
   */
  open_turn?: boolean;
  /**
   * What the provider takes beyond the common form; absent means that no provider is known.
   */
  profile?: ProfileInput;
};
/**
 * The history as it can be sent, and what had to change.
 */
export type SanitizeHistoryResult = {
  /**
   * The messages; members that are not named here are those that were given (PAY-084).
   */
  messages: SanitizeHistoryMessage[];
  /**
   * How many invalid calls were removed; absent means none (PAY-149).
   */
  skipped?: number;
  /**
   * Every change once, in the order of paths (PAY-086).
   */
  findings: SanitizeHistoryFinding[];
};
/**
 * What the operation takes (PAY-030). That it nests at most 128 deep is beyond a schema.
 */
export type SanitizeRequestInput = {
  request: unknown;
  capability: unknown;
  /**
   * Who sends; its presence asks for the error of PAY-053.
   */
  strict?: {
    provider: string;
    model: string;
    callsite: string;
  };
  /**
   * What the provider takes beyond the common form; absent means that no provider is known.
   */
  profile?: ProfileInput;
};
/**
 * The request to send, and what was changed to make it so.
 */
export type SanitizeRequestResult = {
  request: unknown;
  /**
   * The original of each name that was changed, by the sent name (PAY-050).
   */
  aliases: {
    [k: string]: string;
  };
  /**
   * Every change once, in the order of paths (PAY-055).
   */
  findings: SanitizeRequestFinding[];
};
/**
 * What the model said and called; other members are opaque (TRN-043).
 */
export type SettleAssistantMessage = {
  role: 'assistant';
  content:
    | (string | null)
    | {
        type?: unknown;
        text?: unknown;
        [k: string]: unknown;
      }[];
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
};
/**
 * What the operation takes (TRN-040).
 */
export type SettleInput = {
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
      parts?: {
        [k: string]: unknown;
      }[];
      [k: string]: unknown;
    };
    calls: {
      seq: SettleSeq;
      id: string;
      name: string;
      arguments_json: string;
      opaque?: {
        call?: SettleOpaqueMembers;
        function?: SettleOpaqueMembers;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    }[];
    dispatch: {
      seq: SettleSeq;
      [k: string]: unknown;
    }[];
    answers: {
      seq: SettleSeq;
      error_type: SettleErrorType;
      [k: string]: unknown;
    }[];
    planned: {
      request_id: string;
      seq: SettleSeq;
      tool: string;
      tool_call_id: string;
      [k: string]: unknown;
    }[];
    [k: string]: unknown;
  };
  /**
   * What the execution of dispatched calls came to, in any order.
   */
  outcomes: SettleOutcome[];
  /**
   * Whether results that are parts are stored as such; absent means that no provider is known.
   */
  profile?: ProfileInput;
};
/**
 * Members that only the provider understands; none has a name of the wire.
 */
export type SettleOpaqueMembers = {
  [k: string]: unknown;
};
export type SettleOutcome = {
  /**
   * Names a dispatched call.
   */
  seq: number;
  status: unknown;
  latency_ms?: unknown;
  error_type?: unknown;
  content?: unknown;
};
/**
 * What is logged, counted, shown and stored.
 */
export type SettleResult = {
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
};
export type SettleToolMessage = {
  role: 'tool';
  tool_call_id: string;
  content: string | SanitizeHistoryParts;
};
/**
 * A CloudEvent in the JSON format.
 */
export type ToCloudeventsCloudevent = {
  specversion: '1.0';
  /**
   * Made of request, seq and kind (EVT-074).
   */
  id: string;
  /**
   * That of the input.
   */
  source: string;
  /**
   * The kind of the event and its version (EVT-075).
   */
  type: string;
  /**
   * The tool.
   */
  subject: string;
  time: ToCloudeventsTimestamp;
  datacontenttype: 'application/json';
  /**
   * The request.
   */
  correlationid: string;
  /**
   * The event (EVT-077).
   */
  data: RecordCallsPlanned | RecordCallsResultOk | RecordCallsResultError;
};
/**
 * What the operation takes (EVT-071).
 */
export type ToCloudeventsInput = {
  /**
   * Well-formed events.
   */
  events: ToCloudeventsEvent[];
  /**
   * A URI reference that names the runtime.
   */
  source: string;
  /**
   * A reverse domain name.
   */
  type_prefix: string;
  /**
   * When each event happened, one for each.
   */
  times: ToCloudeventsTimestamp[];
};
/**
 * The events in their envelopes.
 */
export type ToCloudeventsResult = {
  /**
   * One for each event (EVT-072).
   */
  events: ToCloudeventsCloudevent[];
};
/**
 * Attributes by name.
 */
export type ToOtelAttributes = {
  'gen_ai.operation.name'?: 'execute_tool';
  'gen_ai.tool.type'?: 'function';
  'gen_ai.tool.name': string;
  'gen_ai.tool.call.id'?: string;
  'error.type'?: string;
  'commoncall.request_id'?: string;
  'commoncall.seq'?: number;
  'commoncall.args_preview_hash'?: RecordCallsDigest;
  'commoncall.args_hash_algorithm'?: 'hmac-sha256';
  'commoncall.args_hash_key_id'?: string;
  'commoncall.args_schema_version'?: string;
};
/**
 * What the operation takes (EVT-080).
 */
export type ToOtelInput = {
  /**
   * Well-formed events.
   */
  events: ToOtelEvent[];
};
/**
 * A log record.
 */
export type ToOtelLog = {
  /**
   * What it is a record of.
   */
  event_name: 'commoncall.tool_call.planned' | 'commoncall.tool_call.not_run';
  /**
   * 9 is INFO, 13 is WARN.
   */
  severity_number: 9 | 13;
  /**
   * The message of what did not run (EVT-089).
   */
  body?: string;
  attributes: ToOtelAttributes;
};
/**
 * One duration.
 */
export type ToOtelMeasurement = {
  /**
   * In seconds.
   */
  value: number;
  /**
   * Few, since each combination is a time series (EVT-091).
   */
  attributes: {
    'gen_ai.tool.name': string;
    'error.type'?: string;
  };
};
/**
 * A histogram and what is recorded in it.
 */
export type ToOtelMetric = {
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
};
/**
 * What the events are in OpenTelemetry.
 */
export type ToOtelResult = {
  /**
   * One for each call that ran (EVT-081).
   */
  spans: ToOtelSpan[];
  /**
   * One for each Planned and each call that did not run (EVT-087).
   */
  logs: ToOtelLog[];
  /**
   * The histogram of durations, if there is any (EVT-090).
   *
   * @maxItems 1
   */
  metrics: ToOtelMetric[];
};
/**
 * The execution of a tool.
 */
export type ToOtelSpan = {
  /**
   * The operation and the tool (EVT-082).
   */
  name: string;
  kind: 'internal';
  /**
   * Left alone on success (EVT-084).
   */
  status: 'unset' | 'error';
  /**
   * The message of an error.
   */
  status_description?: string;
  /**
   * In seconds, where it was measured (EVT-085).
   */
  duration_s?: number;
  attributes: ToOtelAttributes;
};
/**
 * A call in the form of the wire (TRN-064 to TRN-066).
 */
export type TurnStreamCall = {
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
};
/**
 * What the operation takes (TRN-060). That it nests at most 128 deep is beyond a schema.
 */
export type TurnStreamInput = {
  /**
   * The plan of the turn. Its other members are not read.
   */
  plan: {
    effective: string[];
    parse_native_calls: boolean;
    parse_text_calls: boolean;
    [k: string]: unknown;
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
  request?: unknown;
  /**
   * The original of each name that was changed, by the sent name.
   */
  aliases?: {
    [k: string]: string;
  };
  /**
   * The declarations of the tools, with the names that the runtime knows, as for extraction.extract.
   */
  tools?: unknown[];
  dialects?: ExtractDialects;
  format?: ExtractFormat;
  /**
   * Whether a marker in a code fence counts; absent means opaque.
   */
  fences?: 'opaque' | 'extract';
  /**
   * Whether the prompt ended in an opened reasoning tag; absent means false.
   */
  starts_in_reasoning?: boolean;
  limits?: ExtractLimits;
  /**
   * What a blank arguments text of a native call means; absent means reject.
   */
  empty_arguments?: 'reject' | 'allow_if_none_required';
  key?: RecordCallsKey;
  /**
   * What is opaque in the message, and where it came from; absent means that no provider is known.
   */
  profile?: ProfileInput;
};
/**
 * The message as turn.receive takes it (TRN-062, TRN-063, TRN-067), with the members that the profile makes opaque (TRN-074).
 */
export type TurnStreamMessage = {
  /**
   * The content; null where none was sent.
   */
  text: string | null;
  /**
   * A call for each slot; null where there is none.
   */
  tool_calls: TurnStreamCall[] | null;
  /**
   * Whether the output was cut off, or the stream has no end.
   */
  truncated: boolean;
  /**
   * What the provider said that refused (TRN-075).
   */
  refusal?: string;
  [k: string]: unknown;
};
/**
 * The message that the chunks are, what becomes of it, and what can be shown meanwhile.
 */
export type TurnStreamResult = {
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
};
/** Why an input has no result. */
export type ErrorCode =
  /** a member of the operation's own input is missing, unknown or of a wrong type, or the input nests deeper than 128 */
  | 'invalid_input'
  /** the environment holds fewer ids, or fewer readings of the clock, than the result needs */
  | 'env_exhausted'
  /** the profile names what is opaque, and does not say where the request goes */
  | 'origin_missing'
  /** strict mode: the request as given has a choice without tools, or tools for a model that takes none; `trigger`, `provider`, `model` and `callsite` stand beside the code */
  | 'sanitizer_bypassed'
  /** the request or the history has the form of another interface; `form` and `path` stand beside the code */
  | 'form_not_chat_completions'
  /** `tools` and the legacy `functions` would be sent together */
  | 'legacy_and_tools'
  /** there are more tools than the profile allows */
  | 'too_many_tools'
  /** two tools would be sent under one name */
  | 'duplicate_tool'
  /** the `tool_choice` is of no known kind */
  | 'choice_malformed'
  /** the `tool_choice` names a tool that is not sent */
  | 'choice_unknown_tool'
  /** the model does not offer the forced choice */
  | 'choice_unsupported'
  /** the request that was sent has other tools than the plan */
  | 'plan_mismatch'
  /** a chunk has a second choice, or one of another index than 0 */
  | 'choice_not_single'
  /** the arguments are no JSON text, or have none */
  | 'arguments_not_json'
  /** the arguments are JSON, but no object */
  | 'arguments_not_object';
