// The formats: what a port reads of spec/v1/formats/*.json. Made by the build; edit there.

export const FORMATS = [
  {
    "id": "glm-4.5",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<|observation|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "hermes",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "hunyuan",
    "dialects": [
      "tool_calls"
    ]
  },
  {
    "id": "kimi-k2",
    "dialects": [
      "named-calls"
    ],
    "tokens": [
      "<|im_end|>"
    ]
  },
  {
    "id": "magistral",
    "dialects": [
      "named-args"
    ],
    "reasoning": [
      {
        "open": {
          "text": "[THINK]"
        },
        "close": {
          "text": "[/THINK]"
        }
      }
    ]
  },
  {
    "id": "mistral-v3",
    "dialects": [
      "tool-calls-array"
    ]
  },
  {
    "id": "qwen3-coder",
    "dialects": [
      "tool_call",
      "function-parameters"
    ],
    "tokens": [
      "<|im_end|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "qwen3",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|endoftext|>"
    ]
  }
];
