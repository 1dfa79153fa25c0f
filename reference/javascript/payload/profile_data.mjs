// The flags of spec/v1/profiles/*.json. The build writes this; change those.

export const PROFILES = {
  "strict": {},
  "anthropic-compatible": {
    "strict_field": "any",
    "parallel_field": true,
    "name_start": "any",
    "ids": "word_64",
    "system_anywhere": "first",
    "repeated_roles": "user_first",
    "calls_in_message": "any",
    "refused_in_schemas": [
      "malformed",
      "property_names",
      "ref_undefined"
    ],
    "refused_thinking": [
      "required",
      "named"
    ],
    "result_media": "user",
    "user_after_tool": true,
    "assistant_last": false,
    "refuses": [
      "name_aliased",
      "root_combined",
      "name_blank",
      "arguments_not_object",
      "id_form",
      "id_repeated",
      "result_missing",
      "result_orphaned",
      "roles_not_alternating"
    ],
    "blank_texts": false,
    "content_beside_calls": "any"
  },
  "anthropic-messages": {
    "strict_field": "any",
    "parallel_field": true,
    "name_start": "any",
    "ids": "word_64",
    "content_beside_calls": "any",
    "result_content": "parts",
    "unknown_members": "any",
    "system_anywhere": "first",
    "repeated_roles": "user_first",
    "calls_in_message": "any",
    "refused_in_schemas": [
      "malformed",
      "property_names",
      "ref_undefined",
      "strict_grammar"
    ],
    "refused_thinking": [
      "required",
      "named"
    ],
    "user_after_tool": true,
    "assistant_last": false,
    "result_name": "any",
    "refuses": [
      "name_aliased",
      "root_combined",
      "name_blank",
      "arguments_not_object",
      "id_form",
      "id_repeated",
      "result_missing",
      "result_orphaned",
      "roles_not_alternating"
    ]
  },
  "cerebras": {
    "strict_field": "none",
    "content_beside_calls": "string",
    "unknown_members": "none",
    "refused_in_schemas": [
      "minItems"
    ],
    "refused_members": {
      "store": null
    },
    "refuses": [
      "strict_true",
      "content_null",
      "members_unknown",
      "member_not_taken"
    ]
  },
  "cerebras-strict": {
    "strict_field": "uniform",
    "content_beside_calls": "string",
    "unknown_members": "none",
    "refused_in_schemas": [
      "minItems",
      "strict_open"
    ],
    "refused_members": {
      "store": null
    },
    "refuses": [
      "strict_true",
      "content_null",
      "members_unknown",
      "member_not_taken"
    ]
  },
  "dashscope": {
    "strict_field": "none",
    "developer_role": false,
    "calls_in_message": "any",
    "refused_thinking": [
      "required",
      "named"
    ],
    "refuses": [
      "tools_empty",
      "strict_true",
      "strict_false",
      "role_coerced",
      "tool_calls_empty",
      "arguments_invalid_json",
      "result_missing",
      "result_orphaned"
    ]
  },
  "deepseek": {
    "name_start": "any",
    "result_content": "string",
    "opaque_members": [
      "reasoning_content"
    ],
    "developer_role": false,
    "calls_in_message": "any",
    "refused_thinking": [
      "required",
      "named"
    ],
    "thinks_unasked": true,
    "user_after_tool": true,
    "system_anywhere": "one",
    "opaque_required": {
      "reasoning_content": {
        "in": "message",
        "value": " "
      }
    },
    "refuses": [
      "tools_empty",
      "name_aliased",
      "role_coerced",
      "tool_calls_empty",
      "id_repeated",
      "result_missing",
      "result_orphaned",
      "result_content_array"
    ]
  },
  "deepseek-flash": {
    "name_start": "any",
    "result_content": "parts",
    "opaque_members": [
      "reasoning_content"
    ],
    "developer_role": false,
    "calls_in_message": "any",
    "refused_thinking": [
      "required",
      "named"
    ],
    "thinks_unasked": true,
    "user_after_tool": true,
    "system_anywhere": "one",
    "opaque_required": {
      "reasoning_content": {
        "in": "message",
        "value": " "
      }
    },
    "refuses": [
      "tools_empty",
      "name_aliased",
      "role_coerced",
      "tool_calls_empty",
      "id_repeated",
      "result_missing",
      "result_orphaned"
    ]
  },
  "gemini-compatible": {
    "result_name": "call",
    "opaque_members": [
      "extra_content",
      "thought_signature"
    ],
    "calls_in_message": "any",
    "refused_in_schemas": [
      "$schema",
      "examples",
      "exclusiveMinimum",
      "exclusiveMaximum",
      "const",
      "propertyNames",
      "deprecated",
      "readOnly",
      "writeOnly",
      "additionalProperties",
      "uniqueItems",
      "multipleOf",
      "$comment",
      "enumDescriptions",
      "members_of_no_object",
      "items_of_no_array",
      "enum_of_others",
      "type_list",
      "array_without_items",
      "enum_untyped",
      "prefixItems",
      "contains",
      "unevaluatedProperties",
      "unevaluatedItems",
      "contentSchema",
      "required_undefined",
      "malformed",
      "formats_of_texts",
      "ref_undefined",
      "ref_siblings",
      "enum_of_other_types",
      "boolean"
    ],
    "result_media": "user",
    "opaque_required": {
      "extra_content": {
        "in": "call",
        "value": {
          "google": {
            "thought_signature": "skip_thought_signature_validator"
          }
        }
      }
    },
    "refuses": [
      "choice_without_tools",
      "result_missing",
      "name_blank"
    ],
    "assistant_last": false
  },
  "groq": {
    "result_name": "none",
    "unknown_members": "none",
    "refused_in_schemas": [
      "required_of_nothing"
    ],
    "refused_members": {
      "store": null
    },
    "refuses": [
      "choice_null",
      "members_unknown",
      "parameters_incomplete",
      "member_not_taken"
    ]
  },
  "litellm-anthropic": {
    "calls_in_message": "any",
    "opaque_members": [
      "thinking_blocks"
    ],
    "refused_thinking": [
      "required",
      "named"
    ]
  },
  "llama-cpp": {
    "parallel_field": true,
    "max_description": null,
    "ids": "any",
    "repeated_roles": false,
    "calls_in_message": "any",
    "assistant_last": false,
    "refused_in_schemas": [
      "malformed",
      "boolean",
      "ref_undefined",
      "pattern_of_parts",
      "all_of_endless"
    ],
    "refuses": [
      "tools_not_array",
      "arguments_absent",
      "type_absent",
      "name_missing",
      "message_without_words",
      "arguments_empty",
      "arguments_invalid_json",
      "assistants_last"
    ],
    "readable_members": [
      "reasoning_content"
    ]
  },
  "llama-cpp-alternating": {
    "parallel_field": true,
    "max_description": null,
    "ids": "any",
    "repeated_roles": false,
    "user_after_tool": false,
    "refused_in_schemas": [
      "malformed",
      "boolean",
      "ref_undefined",
      "pattern_of_parts",
      "all_of_endless"
    ],
    "refuses": [
      "tools_not_array",
      "arguments_absent",
      "type_absent",
      "name_missing",
      "message_without_words",
      "roles_not_alternating",
      "user_behind_tool"
    ]
  },
  "llama-cpp-llama-3": {
    "parallel_field": true,
    "max_description": null,
    "ids": "any",
    "calls_in_message": "one",
    "repeated_roles": false,
    "refused_in_schemas": [
      "malformed",
      "boolean",
      "ref_undefined",
      "pattern_of_parts",
      "all_of_endless"
    ],
    "refuses": [
      "tools_not_array",
      "arguments_absent",
      "type_absent",
      "name_missing",
      "message_without_words",
      "calls_split",
      "assistants_last"
    ]
  },
  "lm-studio": {
    "content_beside_calls": "string",
    "refused_choices": [
      "named"
    ],
    "refused_in_schemas": [
      "pattern_of_parts",
      "boolean"
    ],
    "refuses": [
      "content_null",
      "parameters_incomplete"
    ]
  },
  "minimax": {
    "ids": "any",
    "result_name": "none",
    "content_beside_calls": "any",
    "blank_texts": false,
    "refuses": [
      "parameters_added",
      "arguments_invalid_json",
      "id_repeated",
      "result_orphaned",
      "result_missing"
    ]
  },
  "mistral": {
    "name_start": "any",
    "ids": "alphanumeric_9",
    "user_after_tool": false,
    "unknown_members": "none",
    "calls_in_message": "any",
    "system_anywhere": "one",
    "assistant_last": false,
    "refused_members": {
      "max_completion_tokens": "max_tokens"
    },
    "refuses": [
      "choice_null",
      "parameters_added",
      "name_aliased",
      "name_coerced",
      "name_blank",
      "name_missing",
      "arguments_absent",
      "id_absent",
      "id_form",
      "message_without_words",
      "result_missing",
      "result_orphaned",
      "user_behind_tool",
      "members_unknown",
      "system_late",
      "member_renamed"
    ]
  },
  "moonshot": {
    "name_start": "letter",
    "result_content": "string",
    "opaque_members": [
      "reasoning_content"
    ],
    "refused_in_schemas": [
      "untyped",
      "type_beside_any_of",
      "malformed",
      "required_undefined",
      "ref_siblings",
      "ref_undefined",
      "enum_untyped",
      "enum_of_other_types",
      "boolean"
    ],
    "refused_thinking": [
      "required",
      "named"
    ],
    "thinks_unasked": true,
    "result_media": "user",
    "user_after_tool": true,
    "opaque_required": {
      "reasoning_content": {
        "in": "message",
        "value": " "
      }
    },
    "refuses": [
      "name_aliased",
      "root_combined",
      "root_not_object",
      "parameters_incomplete",
      "result_missing",
      "result_orphaned"
    ],
    "refused_members": {
      "reasoning_effort": null
    }
  },
  "moonshot-k3": {
    "name_start": "letter",
    "result_content": "string",
    "opaque_members": [
      "reasoning_content"
    ],
    "refused_in_schemas": [
      "untyped",
      "type_beside_any_of",
      "malformed",
      "required_undefined",
      "ref_siblings",
      "ref_undefined",
      "enum_untyped",
      "enum_of_other_types",
      "boolean"
    ],
    "refused_choices": [
      "named"
    ],
    "result_media": "user",
    "user_after_tool": true,
    "opaque_required": {
      "reasoning_content": {
        "in": "message",
        "value": " "
      }
    },
    "refuses": [
      "name_aliased",
      "root_combined",
      "root_not_object",
      "parameters_incomplete",
      "result_missing",
      "result_orphaned"
    ]
  },
  "ollama-chat": {
    "ids": "any",
    "content_beside_calls": "any",
    "result_content": "parts",
    "result_name": "any",
    "system_anywhere": "one",
    "repeated_roles": "user_first",
    "calls_in_message": "any",
    "user_after_tool": true,
    "unknown_members": "any",
    "refused_choices": [
      "none",
      "required",
      "named"
    ],
    "refused_in_schemas": [
      "pattern_of_parts",
      "boolean"
    ],
    "refuses": [
      "properties_array",
      "arguments_not_object",
      "result_content_array",
      "roles_not_alternating"
    ]
  },
  "ollama-compatible": {
    "content_beside_calls": "string",
    "result_content": "string",
    "refused_in_schemas": [
      "pattern_of_parts",
      "boolean"
    ],
    "refuses": [
      "properties_array",
      "content_null",
      "result_content_array"
    ]
  },
  "openai": {
    "strict_field": "any",
    "parallel_field": true,
    "name_start": "any",
    "max_tools": 128,
    "max_description": 1024,
    "ids": "word_40",
    "content_beside_calls": "any",
    "result_content": "any",
    "developer_role": true,
    "repeated_roles": true,
    "calls_in_message": "any",
    "refused_in_schemas": [
      "malformed",
      "strict_open",
      "array_without_items",
      "ref_undefined",
      "enum_of_other_types",
      "$id"
    ],
    "result_media": "user",
    "user_after_tool": true,
    "system_anywhere": true,
    "refused_members": {
      "max_tokens": "max_completion_tokens"
    },
    "refuses": [
      "tools_empty",
      "choice_without_tools",
      "none_without_tools",
      "parallel_without_tools",
      "functions_empty",
      "function_call_without_functions",
      "strict_null",
      "description_cut",
      "name_aliased",
      "name_coerced",
      "parameters_incomplete",
      "root_not_object",
      "tool_calls_empty",
      "name_blank",
      "id_long",
      "result_missing",
      "result_orphaned",
      "root_combined"
    ],
    "effort_beside_tools": "some"
  },
  "openai-gpt-5-4": {
    "strict_field": "any",
    "parallel_field": true,
    "name_start": "any",
    "max_tools": 128,
    "max_description": 1024,
    "ids": "word_40",
    "content_beside_calls": "any",
    "result_content": "any",
    "developer_role": true,
    "repeated_roles": true,
    "calls_in_message": "any",
    "refused_in_schemas": [
      "malformed",
      "strict_open",
      "array_without_items",
      "ref_undefined",
      "enum_of_other_types",
      "$id"
    ],
    "effort_beside_tools": "none",
    "result_media": "user",
    "user_after_tool": true,
    "system_anywhere": true,
    "refused_members": {
      "max_tokens": "max_completion_tokens"
    },
    "refuses": [
      "tools_empty",
      "choice_without_tools",
      "none_without_tools",
      "parallel_without_tools",
      "functions_empty",
      "function_call_without_functions",
      "strict_null",
      "description_cut",
      "name_aliased",
      "name_coerced",
      "parameters_incomplete",
      "root_not_object",
      "tool_calls_empty",
      "name_blank",
      "id_long",
      "result_missing",
      "result_orphaned",
      "root_combined",
      "member_renamed"
    ]
  },
  "openai-reasoning": {
    "strict_field": "any",
    "parallel_field": false,
    "name_start": "any",
    "max_tools": 128,
    "max_description": 1024,
    "ids": "word_40",
    "content_beside_calls": "any",
    "result_content": "any",
    "developer_role": true,
    "repeated_roles": true,
    "calls_in_message": "any",
    "refused_in_schemas": [
      "malformed",
      "strict_open",
      "array_without_items",
      "ref_undefined",
      "enum_of_other_types",
      "$id"
    ],
    "result_media": "user",
    "user_after_tool": true,
    "system_anywhere": true,
    "refused_members": {
      "max_tokens": "max_completion_tokens"
    },
    "refuses": [
      "tools_empty",
      "choice_without_tools",
      "none_without_tools",
      "parallel_without_tools",
      "functions_empty",
      "function_call_without_functions",
      "strict_null",
      "description_cut",
      "name_aliased",
      "name_coerced",
      "parameters_incomplete",
      "root_not_object",
      "tool_calls_empty",
      "name_blank",
      "id_long",
      "result_missing",
      "result_orphaned",
      "parallel_not_taken",
      "root_combined",
      "member_renamed"
    ],
    "effort_beside_tools": "some"
  },
  "openai-responses": {
    "strict_field": "any",
    "parallel_field": true,
    "name_start": "any",
    "max_tools": 128,
    "ids": "word_64",
    "content_beside_calls": "any",
    "result_content": "parts",
    "unknown_members": "any",
    "developer_role": true,
    "system_anywhere": true,
    "repeated_roles": true,
    "calls_in_message": "any",
    "refused_in_schemas": [
      "malformed",
      "strict_open",
      "array_without_items",
      "ref_undefined",
      "enum_of_other_types",
      "$id"
    ],
    "user_after_tool": true,
    "result_name": "any",
    "refuses": [
      "name_blank",
      "id_long",
      "result_missing",
      "result_orphaned",
      "root_not_object",
      "root_combined"
    ]
  },
  "openrouter": {
    "parallel_field": true,
    "ids": "verbatim",
    "repeated_roles": true,
    "calls_in_message": "any",
    "opaque_members": [
      "reasoning_details"
    ]
  },
  "openrouter-gemini": {
    "parallel_field": true,
    "ids": "verbatim",
    "repeated_roles": true,
    "calls_in_message": "any",
    "opaque_members": [
      "reasoning_details"
    ],
    "opaque_required": {
      "reasoning_details": {
        "in": "message",
        "value": [
          {
            "type": "reasoning.encrypted",
            "data": "skip_thought_signature_validator",
            "id": null,
            "format": "google-gemini-v1",
            "index": 0
          }
        ]
      }
    }
  },
  "sglang": {
    "parallel_field": true,
    "max_description": null,
    "ids": "any",
    "root_keywords": "any",
    "refused_in_schemas": [
      "malformed"
    ],
    "refuses": [
      "arguments_empty",
      "arguments_invalid_json",
      "arguments_not_object"
    ],
    "readable_members": [
      "reasoning_content"
    ]
  },
  "vllm": {
    "parallel_field": true,
    "max_description": null,
    "ids": "any",
    "repeated_roles": "user_first",
    "calls_in_message": "any",
    "root_keywords": "any",
    "user_after_tool": true,
    "system_anywhere": "one",
    "refuses": [
      "tools_empty",
      "tools_not_array",
      "choice_without_tools",
      "name_missing",
      "arguments_absent",
      "arguments_not_string",
      "type_absent",
      "id_absent",
      "roles_not_alternating"
    ],
    "readable_members": [
      "reasoning",
      "reasoning_content"
    ]
  },
  "vllm-alternating": {
    "parallel_field": true,
    "max_description": null,
    "ids": "any",
    "repeated_roles": false,
    "root_keywords": "any",
    "user_after_tool": false,
    "calls_in_message": "any",
    "refuses": [
      "tools_empty",
      "tools_not_array",
      "choice_without_tools",
      "name_missing",
      "arguments_absent",
      "arguments_not_string",
      "type_absent",
      "id_absent",
      "roles_not_alternating",
      "user_behind_tool"
    ]
  },
  "vllm-llama-3": {
    "parallel_field": true,
    "max_description": null,
    "ids": "any",
    "repeated_roles": true,
    "calls_in_message": "one",
    "root_keywords": "any",
    "user_after_tool": true,
    "system_anywhere": "one",
    "refuses": [
      "tools_empty",
      "tools_not_array",
      "choice_without_tools",
      "name_missing",
      "arguments_absent",
      "arguments_not_string",
      "type_absent",
      "id_absent",
      "calls_split"
    ]
  },
  "xai": {
    "content_beside_calls": "string",
    "refuses": [
      "choice_without_tools",
      "content_absent",
      "content_null",
      "content_array_empty"
    ]
  }
};
