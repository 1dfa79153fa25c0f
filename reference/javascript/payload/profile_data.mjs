// The flags of spec/v1/profiles/*.json. The build writes this; change those.

export const PROFILES = {
  "strict": {},
  "anthropic-compatible": {
    "strict_field": "any",
    "parallel_field": true,
    "name_start": "any",
    "ids": "word_64",
    "system_anywhere": true,
    "repeated_roles": true,
    "calls_in_message": "any"
  },
  "cerebras": {
    "strict_field": "none",
    "content_beside_calls": "string",
    "unknown_members": "none"
  },
  "cerebras-strict": {
    "strict_field": "uniform",
    "content_beside_calls": "string",
    "unknown_members": "none"
  },
  "dashscope": {
    "strict_field": "none",
    "developer_role": false,
    "calls_in_message": "any"
  },
  "deepseek": {
    "name_start": "any",
    "result_content": "string",
    "system_anywhere": false,
    "opaque_members": [
      "reasoning_content"
    ],
    "developer_role": false,
    "calls_in_message": "any"
  },
  "gemini-compatible": {
    "result_name": "call",
    "opaque_members": [
      "extra_content"
    ],
    "calls_in_message": "any"
  },
  "groq": {
    "result_name": "none",
    "unknown_members": "none"
  },
  "llama-cpp": {
    "parallel_field": true,
    "ids": "any",
    "repeated_roles": false,
    "calls_in_message": "any"
  },
  "llama-cpp-alternating": {
    "parallel_field": true,
    "ids": "any",
    "repeated_roles": false,
    "user_after_tool": false
  },
  "llama-cpp-llama-3": {
    "parallel_field": true,
    "ids": "any",
    "calls_in_message": "one",
    "repeated_roles": false
  },
  "lm-studio": {
    "content_beside_calls": "string"
  },
  "minimax": {
    "ids": "verbatim"
  },
  "mistral": {
    "name_start": "any",
    "ids": "alphanumeric_9",
    "user_after_tool": false,
    "system_anywhere": false,
    "unknown_members": "none",
    "calls_in_message": "any"
  },
  "moonshot": {
    "name_start": "letter",
    "result_content": "string",
    "opaque_members": [
      "reasoning_content"
    ]
  },
  "ollama-compatible": {
    "content_beside_calls": "string",
    "result_content": "string"
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
    "calls_in_message": "any"
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
    "calls_in_message": "any"
  },
  "sglang": {
    "parallel_field": true,
    "ids": "any"
  },
  "vllm": {
    "parallel_field": true,
    "ids": "any",
    "repeated_roles": true,
    "calls_in_message": "any"
  },
  "xai": {
    "content_beside_calls": "string"
  }
};
