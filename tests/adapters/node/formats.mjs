// The formats: what a port reads of spec/v1/formats/*.json. Made by the build; edit there.

export const FORMATS = [
  {
    "id": "apertus",
    "dialects": [
      "keyed-array"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<|inner_prefix|>"
        },
        "close": {
          "text": "<|inner_suffix|>"
        }
      }
    ],
    "tokens": [
      "<|assistant_end|>",
      "<|assistant_start|>"
    ]
  },
  {
    "id": "apriel",
    "dialects": [
      "tool_calls"
    ],
    "tokens": [
      "<|end|>",
      "<|begin_assistant|>"
    ]
  },
  {
    "id": "command-a",
    "dialects": [
      "action-array"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<|START_THINKING|>"
        },
        "close": {
          "text": "<|END_THINKING|>"
        }
      }
    ],
    "tokens": [
      "<|START_RESPONSE|>",
      "<|END_RESPONSE|>",
      "<|END_OF_TURN_TOKEN|>",
      "<|START_OF_TURN_TOKEN|>",
      "<|CHATBOT_TOKEN|>",
      "<|START_TEXT|>",
      "<|END_TEXT|>"
    ]
  },
  {
    "id": "deepseek-v3.1",
    "dialects": [
      "deepseek-calls"
    ],
    "tokens": [
      "<｜end▁of▁sentence｜>",
      "<｜Assistant｜>"
    ]
  },
  {
    "id": "deepseek-v3.2",
    "dialects": [
      "dsml-calls"
    ],
    "tokens": [
      "<｜end▁of▁sentence｜>",
      "<｜Assistant｜>"
    ]
  },
  {
    "id": "deepseek-v3",
    "dialects": [
      "deepseek-fenced-calls"
    ],
    "tokens": [
      "<｜end▁of▁sentence｜>",
      "<｜Assistant｜>"
    ]
  },
  {
    "id": "deepseek-v4",
    "dialects": [
      "dsml-tool-calls"
    ],
    "tokens": [
      "<｜end▁of▁sentence｜>",
      "<｜Assistant｜>"
    ]
  },
  {
    "id": "dots",
    "dialects": [
      "invoke-dots"
    ]
  },
  {
    "id": "ernie",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|end_of_sentence|>"
    ]
  },
  {
    "id": "functionary-3.1",
    "dialects": [
      "function-arguments"
    ],
    "tokens": [
      "<|eom_id|>",
      "<|eot_id|>"
    ]
  },
  {
    "id": "gigachat-3.1",
    "dialects": [
      "function-call-token"
    ],
    "tokens": [
      "<|message_sep|>"
    ]
  },
  {
    "id": "gigachat-3",
    "dialects": [
      "function-call-role"
    ],
    "tokens": [
      "<|message_sep|>"
    ]
  },
  {
    "id": "glm-4.5",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<|observation|>",
      "<|endoftext|>",
      "<|assistant|>"
    ]
  },
  {
    "id": "glm-4.7",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<|observation|>",
      "<|endoftext|>",
      "<|assistant|>"
    ]
  },
  {
    "id": "granite-20b",
    "dialects": [
      "function_call"
    ],
    "tokens": [
      "<|endoftext|>"
    ]
  },
  {
    "id": "granite-3",
    "dialects": [
      "tool-call-token"
    ],
    "tokens": [
      "<|end_of_text|>"
    ]
  },
  {
    "id": "granite-4",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|end_of_text|>"
    ]
  },
  {
    "id": "hermes",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|endoftext|>",
      "<|im_start|>assistant"
    ]
  },
  {
    "id": "hunyuan-3",
    "dialects": [
      "hunyuan-pairs"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<think:opensource>"
        },
        "close": {
          "text": "</think:opensource>"
        }
      }
    ],
    "tokens": [
      "<｜hy_eos:opensource｜>"
    ]
  },
  {
    "id": "hunyuan",
    "dialects": [
      "tool_calls"
    ],
    "tokens": [
      "<|eos|>"
    ]
  },
  {
    "id": "inkling",
    "dialects": [
      "inkling"
    ]
  },
  {
    "id": "intern-s1",
    "dialects": [
      "plugin-action-spaced"
    ],
    "tokens": [
      "<|im_end|>"
    ]
  },
  {
    "id": "internlm",
    "dialects": [
      "plugin-action"
    ],
    "tokens": [
      "<|im_end|>"
    ]
  },
  {
    "id": "jamba",
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
      "<|im_end|>",
      "[EOS]",
      "[EOT]"
    ]
  },
  {
    "id": "laguna",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "</assistant>"
    ]
  },
  {
    "id": "ling-3",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<|role_end|>"
    ]
  },
  {
    "id": "longcat",
    "dialects": [
      "longcat"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<longcat_think>"
        },
        "close": {
          "text": "</longcat_think>"
        }
      }
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
    "id": "mimo",
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
    "id": "minicpm-5",
    "dialects": [
      "function-named"
    ],
    "tokens": [
      "<|im_end|>"
    ]
  },
  {
    "id": "minimax-m1",
    "dialects": [
      "tool_calls"
    ],
    "tokens": [
      "<end_of_sentence>"
    ]
  },
  {
    "id": "minimax-m2",
    "dialects": [
      "invoke-minimax"
    ],
    "tokens": [
      "[e~[",
      "]~b]ai"
    ]
  },
  {
    "id": "mistral-v13",
    "dialects": [
      "named-args"
    ]
  },
  {
    "id": "mistral-v3",
    "dialects": [
      "tool-calls-array"
    ]
  },
  {
    "id": "muse-glimmer",
    "dialects": [
      "invoke-atem"
    ],
    "tokens": [
      "<|eot|>"
    ]
  },
  {
    "id": "nemotron-3",
    "dialects": [
      "tool_call",
      "function-parameters"
    ],
    "tokens": [
      "<|im_end|>",
      "<|endoftext|>",
      "<|im_start|>assistant"
    ]
  },
  {
    "id": "nemotron-nano-2",
    "dialects": [
      "toolcall-array"
    ],
    "tokens": [
      "<SPECIAL_12>",
      "<SPECIAL_11>Assistant"
    ]
  },
  {
    "id": "phi-4-mini",
    "dialects": [
      "functools"
    ],
    "tokens": [
      "<|end|>",
      "<|assistant|>",
      "<|eot_id|>",
      "<|start_header_id|>assistant<|end_header_id|>"
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
    "id": "qwen3.5",
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
  },
  {
    "id": "reka-edge",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<sep>"
    ]
  },
  {
    "id": "seed-oss",
    "dialects": [
      "seed-function-parameters"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<seed:think>"
        },
        "close": {
          "text": "</seed:think>"
        }
      }
    ],
    "tokens": [
      "<seed:eos>"
    ]
  },
  {
    "id": "smollm-3",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>"
    ]
  },
  {
    "id": "spark-2.5",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<｜end▁of▁sentence｜>",
      "<｜start▁of▁sentence｜>",
      "<|Bot|>"
    ]
  },
  {
    "id": "step-3.5",
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
    "id": "step-3",
    "dialects": [
      "invoke-step"
    ],
    "tokens": [
      "<｜tool_call_begin｜>function<｜tool_sep｜>",
      "<｜tool_call_end｜>"
    ]
  }
];
