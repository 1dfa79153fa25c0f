// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

import type {ProfileInput} from './profile.js';

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
      code: 'arguments_invalid_json';
      path: '/tool_call/function/arguments';
      /**
       * The length of the arguments text in UTF-8.
       */
      bytes: number;
      repairable: true;
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
       * Whether there is no finding (PAY-003).
       */
      valid: true;
      /**
       * The name, unchanged (PAY-003).
       */
      name: string;
      /**
       * The arguments as an object.
       */
      arguments: {
        [k: string]: unknown;
      };
      /**
       * The text of the arguments: what is run and stored (PAY-003).
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
       * Whether there is no finding (PAY-003).
       */
      valid: false;
      /**
       * The name, unchanged (PAY-003).
       */
      name: string | null;
      /**
       * The arguments as an object.
       */
      arguments: {
        [k: string]: unknown;
      } | null;
      /**
       * The text of the arguments: what is run and stored (PAY-003).
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

/**
 * A change: a code and where it stands, and nothing that was written there (PAY-024).
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
      code: 'arguments_repaired';
      path: string;
      /**
       * @minItems 1
       * @maxItems 4
       */
      repairs: ('control_chars' | 'escaped_apostrophe' | 'repeated_object' | 'trailing_comma')[];
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
 * Any JSON but a tool turn (PAY-102).
 */
export type FlattenHistoryMessage = unknown;

/**
 * A change: a code and where it stands, and nothing that was written there (PAY-024); `refused`: the endpoint of the profile answers an error (PAY-171).
 */
export type SanitizeHistoryFinding =
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
      code: 'role_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'result_missing';
      path: string;
      refused?: true;
    }
  | {
      code: 'type_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'arguments_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'name_coerced';
      path: string;
      refused?: true;
    }
  | {
      code: 'id_replaced';
      path: string;
      refused?: true;
    }
  | {
      code: 'content_coerced' | 'result_content_coerced';
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
      bytes: number;
      refused?: true;
    }
  | {
      code: 'arguments_invalid_json' | 'arguments_not_object';
      path: string;
      refused?: true;
    };

/**
 * A message of the output (PAY-061).
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
 * A list of parts: texts, and media where the profile takes them or moves them (PAY-083, PAY-190).
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
      type: 'image_url' | 'input_audio' | 'audio_url' | 'video_url' | 'file' | 'image' | 'input_image';
      text?: unknown;
      [k: string]: unknown;
    }
)[];

/**
 * A change: a code and where it was made, and nothing that stood there (PAY-024); `refused`: the endpoint of the profile answers an error (PAY-171).
 */
export type SanitizeRequestFinding =
  | {
      code: 'payload_not_object';
      path: '/request';
    }
  | {
      code: 'null_omitted';
      path: string;
      refused?: true;
    }
  | {
      code: 'capability_unsupported' | 'tools_absent' | 'tools_not_array' | 'tools_empty';
      path:
        | '/request/function_call'
        | '/request/functions'
        | '/request/parallel_tool_calls'
        | '/request/tool_choice'
        | '/request/tools';
      refused?: true;
    }
  | {
      code: 'tool_malformed' | 'schema_unsafe';
      path: string;
      refused?: true;
    }
  | {
      code: 'choice_coerced';
      path: '/request/tool_choice';
    }
  | {
      code: 'choice_not_offered';
      path: '/request/parallel_tool_calls' | '/request/tool_choice' | '/request/tools';
    }
  | {
      code: 'parallel_not_boolean' | 'parallel_not_offered' | 'parallel_not_taken';
      path: '/request/parallel_tool_calls';
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
      code: 'name_aliased';
      path: string;
      refused?: true;
    }
  | {
      code: 'surrogate_replaced';
      path: string;
    };

/**
 * What the operation takes (PAY-001). That it nests at most 128 deep is beyond a schema.
 */
export interface CheckToolCallInput {
  /**
   * The call as it came from the model: any JSON, because it is judged.
   */
  tool_call: unknown;
  /**
   * Whether the provider said that its answer was cut off; absent means false.
   */
  truncated?: boolean;
  /**
   * The definition of the called tool, which the caller has looked up: any JSON, because it is judged.
   */
  tool?: unknown;
}

/**
 * What the operation takes (PAY-001). That it nests at most 128 deep is beyond a schema.
 */
export interface FlattenHistoryInput {
  /**
   * The history: any JSON in each place, because it is judged.
   */
  messages: unknown[];
  /**
   * How calls and results are written.
   */
  form: 'quoted' | 'blocks';
  /**
   * The names that may be shown; absent means all (PAY-092).
   */
  effective?: string[];
}

/**
 * The history without tool turns, and what became text.
 */
export interface FlattenHistoryResult {
  /**
   * The messages; what was no tool turn is as it was given (PAY-102).
   */
  messages: FlattenHistoryMessage[];
  /**
   * Every change once, in the order of paths (PAY-022).
   */
  findings: FlattenHistoryFinding[];
}

/**
 * What the operation takes (PAY-001). That it nests at most 128 deep is beyond a schema.
 */
export interface SanitizeHistoryInput {
  /**
   * The history: any JSON in each place, because it is judged.
   */
  messages: unknown[];
  /**
   * What becomes of an invalid call: skip removes it with its result, answer keeps both.
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
  /**
   * Whether the result says where each message stood; absent means false.
   */
  positions?: boolean;
}

/**
 * A call in its wire form (PAY-077); other members are those that were given.
 */
export interface SanitizeHistoryCall {
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
}

/**
 * The history as it can be sent, and what had to change.
 */
export interface SanitizeHistoryResult {
  /**
   * The messages; members that are not named here are those that were given (PAY-143).
   */
  messages: SanitizeHistoryMessage[];
  /**
   * How many invalid calls were removed; absent means none (PAY-067).
   */
  skipped?: number;
  /**
   * Where each message stood in the input, null where none was; absent where nobody asked (PAY-198).
   */
  positions?: (number | null)[];
  /**
   * Every change once, in the order of paths (PAY-022).
   */
  findings: SanitizeHistoryFinding[];
}

/**
 * What the operation takes (PAY-001). That it nests at most 128 deep is beyond a schema.
 */
export interface SanitizeRequestInput {
  /**
   * The request as it would be sent: any JSON, because it is judged.
   */
  request: unknown;
  /**
   * What the model takes: any JSON, because it is judged; meant is an object with tool_calls_supported, tool_choice and parallel_tool_calls.
   */
  capability: unknown;
  /**
   * What the provider takes beyond the common form; absent means that no provider is known.
   */
  profile?: ProfileInput;
}

/**
 * The request to send, and what was changed to make it so.
 */
export interface SanitizeRequestResult {
  /**
   * The request to send; anything but an object is the given one (PAY-032).
   */
  request: unknown;
  /**
   * The original of each name that was changed, by the sent name (PAY-050).
   */
  aliases: {
    [k: string]: string;
  };
  /**
   * Every change once, in the order of paths (PAY-022).
   */
  findings: SanitizeRequestFinding[];
}
