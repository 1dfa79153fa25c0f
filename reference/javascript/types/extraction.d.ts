// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

export type ExtractDialect =
  | 'function'
  | 'function_call'
  | 'harmony-pseudo'
  | 'tool_call'
  | 'tool_calls'
  | 'tools'
  | 'action-array'
  | 'argument-pairs'
  | 'argument-pairs-6124c78e'
  | 'atem-invoke'
  | 'bare-json'
  | 'bare-json-alone'
  | 'bare-json-array'
  | 'bare-json-fenced'
  | 'beam-messages'
  | 'bracket-call'
  | 'call-fence'
  | 'call-fence-hyphen'
  | 'calling-tool'
  | 'deepseek-calls'
  | 'deepseek-fenced-calls'
  | 'dots-invoke'
  | 'dots-json'
  | 'dsml-calls'
  | 'dsml-calls-doubled'
  | 'dsml-function-calls'
  | 'dsml-plain-calls'
  | 'dsml-tool-calls'
  | 'dsml-tool-calls-ascii'
  | 'dsml-tool-calls-doubled'
  | 'dsml-tool-calls-doubled-ascii'
  | 'dsml-tool-calls-lines'
  | 'dsml-tool-calls-spaced'
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
  | 'gemma-bare-call'
  | 'gemma-call'
  | 'harmony'
  | 'harmony-words'
  | 'hy-pairs'
  | 'hy-pairs-opensource'
  | 'identified-calls'
  | 'ifm-pairs'
  | 'inkling-messages'
  | 'invoke-fence'
  | 'invoke-parameters'
  | 'invoke-parameters-prefixed'
  | 'iquest-pairs'
  | 'longcat-pairs'
  | 'longcat-tool-call'
  | 'minimax-elements'
  | 'minimax-elements-cut'
  | 'minimax-invoke'
  | 'minimax-invoke-cut'
  | 'muse-messages'
  | 'named-args'
  | 'named-args-id'
  | 'named-calls'
  | 'named-calls-cut'
  | 'param-key-pairs'
  | 'plamo-request'
  | 'plugin-action'
  | 'plugin-action-spaced'
  | 'python-calls'
  | 'python-calls-lines'
  | 'python-calls-start'
  | 'python-calls-token'
  | 'python-tag-json'
  | 'python-values'
  | 'python-values-token'
  | 'recipient-words'
  | 'recipient-words-role'
  | 'seed-parameters'
  | 'steptml-invoke'
  | 'tool'
  | 'tool-call-id'
  | 'tool-call-named'
  | 'tool-call-tag-array'
  | 'tool-call-tag-python'
  | 'tool-call-token-array'
  | 'tool-calls-array'
  | 'tool-fence'
  | 'tool-fence-named'
  | 'tool-request'
  | 'tool-tag'
  | 'tool_use'
  | 'toolcall-array'
  | 'tools-prefix-array'
  | 'xtml-call'
  | 'xtml-call-spaced';

/**
 * The dialects to look for, none beside one that it excludes. Absent: those that are on by default. With format: beside its own, or in the place of those that they exclude.
 */
export type ExtractDialects = ExtractDialect[];

/**
 * The id of the format of the model.
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
  | 'exaone-4'
  | 'firefunction-2'
  | 'functionary-3'
  | 'functiongemma'
  | 'gemma-3'
  | 'gemma-4'
  | 'gigachat-3'
  | 'gigachat-3.5'
  | 'glm-4.5'
  | 'glm-4.7'
  | 'gpt-5'
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
  | 'lm-studio'
  | 'longcat'
  | 'longcat-2601'
  | 'magistral'
  | 'mimo-2'
  | 'mimo-7b'
  | 'minicpm-5'
  | 'minimax-m1'
  | 'minimax-m2'
  | 'minimax-m3'
  | 'mistral-v11'
  | 'mistral-v13'
  | 'mistral-v3'
  | 'muse'
  | 'nemotron-2'
  | 'nemotron-3'
  | 'olmo-3'
  | 'phi-4-mini'
  | 'plamo-3'
  | 'qwen2.5-coder'
  | 'qwen3'
  | 'qwen3-coder'
  | 'reka-edge'
  | 'sarashina'
  | 'seed-oss'
  | 'smollm-3'
  | 'solar-open'
  | 'spark-2.5'
  | 'step-3'
  | 'step-3.5'
  | 'step-5'
  | 'trinity'
  | 'xing-4'
  | 'xlam';

/**
 * What the server let the model write, where it guided the output: required, an array of calls; named, the arguments of this tool.
 */
export type ExtractGuided =
  | 'required'
  | {
      named: string;
    };

/**
 * A piece of the answer; a call is an index into tool_calls.
 */
export type ExtractPart =
  | {
      type: 'reasoning' | 'text';
      text: string;
    }
  | {
      type: 'tool_call';
      index: number;
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
      codes?: ('in_reasoning' | 'unclosed')[];
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
        | 'parameter_unbalanced'
        | 'beside_native_calls'
        | 'in_reasoning'
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
        | 'parameter_unbalanced'
        | 'beside_native_calls'
        | 'in_reasoning'
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

/**
 * Limits in the place of those of the descriptors.
 */
export interface ExtractLimits {
  /**
   * The longest text between the markers of a dialect that has a limit, in bytes of UTF-8.
   */
  payload_bytes: number;
}

export interface ExtractInput {
  /**
   * What the model wrote, whole.
   */
  text: string;
  /**
   * The names of the tools that are effective in this turn. An empty list: nothing is parsed; any: there is no list of them.
   */
  effective: string[] | 'any';
  /**
   * The provider delivered calls in their own field. True: calls in the text are taken out of it, and none is given.
   */
  native_calls?: boolean;
  dialects?: ExtractDialects;
  format?: ExtractFormat;
  /**
   * Whether a marker in a code fence counts.
   */
  fences?: 'opaque' | 'extract';
  /**
   * Where the text begins: in reasoning that the prompt opened, or outside; none: this turn has no reasoning, and its tags are text.
   */
  reasoning?: 'open' | 'closed' | 'none';
  guided?: ExtractGuided;
  /**
   * The declarations of the tools, for dialects whose parameters are typed by them.
   */
  tools?: unknown[];
  limits?: ExtractLimits;
  /**
   * Whether the result has parts.
   */
  parts?: boolean;
}

export interface ExtractCall {
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
}

export interface ExtractRepair {
  code:
    | 'code_fence'
    | 'control_chars'
    | 'escaped_apostrophe'
    | 'missing_closer'
    | 'missing_object_close'
    | 'missing_opener'
    | 'parameter_end'
    | 'reasoning_unclosed'
    | 'trailing_comma';
  count: number;
}

export interface ExtractUnreadable {
  /**
   * How many calls stand before it.
   */
  before: number;
  /**
   * Its name, where it was read.
   */
  name: string | null;
  error_type: 'tool_payload_too_large' | 'tool_payload_parse_error';
}

export interface ExtractResult {
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
   * How many rejected blocks meant no call, and dropped messages. Absent: none.
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
   * The reasoning, the content and the calls in the order of the text. Absent: parts of the input is not true.
   */
  parts?: ExtractPart[];
  /**
   * Diagnostics. The input in pieces, and what became of each.
   */
  segments: ExtractSegment[];
}

export interface ExtractionStreamInput {
  /**
   * What the model wrote, in the order in which it arrived.
   */
  chunks: string[];
  /**
   * The names of the tools that are effective in this turn. An empty list: nothing is parsed; any: there is no list of them.
   */
  effective: string[] | 'any';
  /**
   * The provider delivered calls in their own field. True: calls in the text are taken out of it, and none is given.
   */
  native_calls?: boolean;
  dialects?: ExtractDialects;
  format?: ExtractFormat;
  /**
   * Whether a marker in a code fence counts.
   */
  fences?: 'opaque' | 'extract';
  /**
   * Where the text begins: in reasoning that the prompt opened, or outside; none: this turn has no reasoning, and its tags are text.
   */
  reasoning?: 'open' | 'closed' | 'none';
  guided?: ExtractGuided;
  /**
   * The declarations of the tools, for dialects whose parameters are typed by them.
   */
  tools?: unknown[];
  limits?: ExtractLimits;
  /**
   * Whether the result has parts.
   */
  parts?: boolean;
}

export interface ExtractionStreamResult {
  result: ExtractResult;
  /**
   * The events of each chunk, and of the end. Judged by laws; a case compares them where only one answer is right.
   */
  emitted: ExtractionStreamEvent[][];
}
