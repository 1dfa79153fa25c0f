// What a port reads of spec/v1/formats/*.json. The build writes this; change those.

export const FORMATS = [
  {
    "id": "anthropic-prompt",
    "dialects": [
      "invoke-parameters",
      "invoke-parameters-prefixed"
    ]
  },
  {
    "id": "apertus",
    "dialects": [
      "tools-prefix-array"
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
      "<|assistant_start|>",
      "<|user_start|>",
      "<|user_end|>",
      "<|system_start|>",
      "<|system_end|>",
      "<|developer_start|>",
      "<|developer_end|>"
    ],
    "control": true
  },
  {
    "id": "apriel",
    "dialects": [
      "tool_calls"
    ],
    "reasoning": [
      {
        "open": {
          "text": "Here are my reasoning steps:"
        },
        "close": {
          "text": "[BEGIN FINAL RESPONSE]"
        }
      },
      {
        "open": {
          "tag": "thinking"
        },
        "close": {
          "tag": "thinking"
        }
      }
    ],
    "tokens": [
      "<|end|>",
      "<|begin_assistant|>",
      "[END FINAL RESPONSE]"
    ]
  },
  {
    "id": "beam",
    "dialects": [
      "beam-messages"
    ],
    "tokens": [
      "<|message|>",
      "<|channel|>",
      "<|constrain|>",
      "<|start|>assistant",
      "<|start|>"
    ],
    "reasoning": []
  },
  {
    "id": "bielik",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
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
      "<|START_TEXT|>",
      "<|END_TEXT|>",
      "<|END_OF_TURN_TOKEN|>",
      "<|START_OF_TURN_TOKEN|>",
      "<|CHATBOT_TOKEN|>",
      "<|USER_TOKEN|>",
      "<|SYSTEM_TOKEN|>",
      "<|START_TOOL_RESULT|>",
      "<|END_TOOL_RESULT|>"
    ],
    "control": true
  },
  {
    "id": "deepseek-v3",
    "dialects": [
      "deepseek-fenced-calls"
    ],
    "tokens": [
      "<｜Assistant｜>",
      "<｜end▁of▁sentence｜>",
      "<｜tool▁sep｜>"
    ],
    "control": true
  },
  {
    "id": "deepseek-v3.1",
    "dialects": [
      "deepseek-calls"
    ],
    "tokens": [
      "<｜Assistant｜>",
      "<｜end▁of▁sentence｜>",
      "<｜tool▁sep｜>"
    ],
    "control": true
  },
  {
    "id": "deepseek-v3.2",
    "dialects": [
      "dsml-function-calls",
      "deepseek-calls"
    ],
    "tokens": [
      "<｜Assistant｜>",
      "<｜end▁of▁sentence｜>",
      "<｜tool▁sep｜>"
    ],
    "control": true
  },
  {
    "id": "deepseek-v4",
    "dialects": [
      "dsml-tool-calls",
      "dsml-calls-doubled",
      "dsml-plain-calls",
      "dsml-tool-calls-doubled",
      "dsml-tool-calls-ascii",
      "dsml-tool-calls-doubled-ascii",
      "function",
      "dsml-tool-calls-lines",
      "dsml-tool-calls-spaced"
    ],
    "tokens": [
      "<｜Assistant｜>",
      "<｜end▁of▁sentence｜>",
      "<｜DSML｜tool_ccalls>",
      "</｜DSML｜tool_ccalls>",
      "<｜DSML｜tool_cs>",
      "</｜DSML｜tool_cs>",
      "<｜DSML｜toolcalls>",
      "</｜DSML｜toolcalls>",
      "< calls>",
      "<|DSML|calls>",
      "</|DSML|calls>"
    ],
    "control": true
  },
  {
    "id": "deepseek-v4.1",
    "dialects": [
      "dsml-calls",
      "dsml-calls-doubled"
    ],
    "tokens": [
      "<｜Assistant｜>",
      "<｜end▁of▁sentence｜>"
    ],
    "control": true
  },
  {
    "id": "dots",
    "dialects": [
      "dots-invoke",
      "dots-json"
    ]
  },
  {
    "id": "ernie",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<response>",
      "</response>"
    ]
  },
  {
    "id": "exaone-4",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "[|endofturn|]",
      "[|assistant|]"
    ]
  },
  {
    "id": "firefunction-2",
    "dialects": [
      "functools-array"
    ],
    "tokens": [
      "<|start_header_id|>assistant<|end_header_id|>",
      "<|eot_id|>",
      "<|eom_id|>",
      "<|end_of_text|>"
    ]
  },
  {
    "id": "functionary-3",
    "dialects": [
      "function-arguments"
    ],
    "tokens": [
      "<|start_header_id|>assistant<|end_header_id|>",
      "<|eot_id|>",
      "<|eom_id|>",
      "<|end_of_text|>"
    ]
  },
  {
    "id": "functiongemma",
    "dialects": [
      "functiongemma-call"
    ],
    "tokens": [
      "<end_of_turn>",
      "<start_function_response>"
    ]
  },
  {
    "id": "gemma-3",
    "dialects": [
      "python-calls",
      "tool",
      "bare-json-fenced"
    ],
    "tokens": [
      "<end_of_turn>",
      "<eos>"
    ]
  },
  {
    "id": "gemma-4",
    "dialects": [
      "gemma-call",
      "gemma-bare-call"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<|channel>"
        },
        "close": {
          "text": "<channel|>"
        },
        "label": "thought"
      }
    ],
    "tokens": [
      "<turn|>",
      "<|turn>",
      "<|tool_response>",
      "<eos>"
    ],
    "control": true
  },
  {
    "id": "gigachat-3",
    "dialects": [
      "function-call-token",
      "function-call-role"
    ],
    "tokens": [
      "<|message_sep|>",
      "<|role_sep|>"
    ],
    "control": true
  },
  {
    "id": "gigachat-3.5",
    "dialects": [
      "gcml-tool-calls"
    ],
    "tokens": [
      "<|message_sep|>",
      "<|role_sep|>"
    ]
  },
  {
    "id": "glm-4.5",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<|user|>",
      "<|observation|>",
      "<|endoftext|>",
      "<|assistant|>",
      "<|system|>",
      "<|begin_of_box|>",
      "<|end_of_box|>"
    ]
  },
  {
    "id": "glm-4.7",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<|user|>",
      "<|observation|>",
      "<|endoftext|>",
      "<|assistant|>"
    ]
  },
  {
    "id": "gpt-5",
    "dialects": [
      "recipient-words",
      "recipient-words-role"
    ]
  },
  {
    "id": "gpt-oss",
    "dialects": [
      "harmony",
      "harmony-words"
    ],
    "tokens": [
      "<|message|>",
      "<|channel|>",
      "<|constrain|>",
      "<|start|>assistant",
      "<|start|> assistant",
      "<|start|>"
    ],
    "reasoning": []
  },
  {
    "id": "granite-20b-fc",
    "dialects": [
      "function-call-open"
    ],
    "tokens": [
      "<|endoftext|>"
    ]
  },
  {
    "id": "granite-3",
    "dialects": [
      "tool-call-token-array"
    ],
    "tokens": [
      "<|end_of_text|>",
      "<response>",
      "</response>",
      "<|start_of_role|>",
      "<|end_of_role|>"
    ],
    "control": true
  },
  {
    "id": "granite-3.1",
    "dialects": [
      "tool-call-tag-array"
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
      "<|end_of_text|>",
      "<|start_of_role|>",
      "<|end_of_role|>"
    ]
  },
  {
    "id": "granite-4.2",
    "dialects": [
      "function-parameters",
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
      "<|im_start|>assistant",
      "<|im_end|>",
      "<|endoftext|>",
      "<|eot_id|>"
    ]
  },
  {
    "id": "hunyuan",
    "dialects": [
      "tool_calls"
    ],
    "tokens": [
      "<|eos|>",
      "<answer>",
      "</answer>"
    ]
  },
  {
    "id": "hy-3",
    "dialects": [
      "hy-pairs-opensource",
      "hy-pairs",
      "tool_calls"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<think:opensource>"
        },
        "close": {
          "text": "</think:opensource>"
        }
      },
      {
        "open": {
          "tag": "think"
        },
        "close": {
          "tag": "think"
        }
      }
    ],
    "tokens": [
      "<｜hy_eos:opensource｜>",
      "<｜hy_Assistant:opensource｜>"
    ]
  },
  {
    "id": "hy-4",
    "dialects": [
      "argument-pairs",
      "tool_calls",
      "argument-pairs-6124c78e"
    ]
  },
  {
    "id": "inkling",
    "dialects": [
      "inkling-messages"
    ],
    "reasoning": []
  },
  {
    "id": "intern-s1",
    "dialects": [
      "plugin-action-spaced",
      "plugin-action"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|plugin|>",
      "<|interpreter|>"
    ],
    "control": true
  },
  {
    "id": "internlm",
    "dialects": [
      "plugin-action",
      "plugin-action-spaced"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|plugin|>",
      "<|interpreter|>"
    ],
    "control": true
  },
  {
    "id": "iquest-q1",
    "dialects": [
      "iquest-pairs"
    ],
    "tokens": [
      "<|iquest_assistant|>"
    ]
  },
  {
    "id": "jamba",
    "dialects": [
      "tool_calls"
    ],
    "tokens": [
      "<|eom|>"
    ]
  },
  {
    "id": "k2-horizon",
    "dialects": [
      "ifm-pairs"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<ifm|think>"
        },
        "close": {
          "text": "</ifm|think>"
        }
      },
      {
        "open": {
          "text": "<ifm|think_fast>"
        },
        "close": {
          "text": "</ifm|think_fast>"
        }
      },
      {
        "open": {
          "text": "<ifm|think_faster>"
        },
        "close": {
          "text": "</ifm|think_faster>"
        }
      }
    ]
  },
  {
    "id": "kimi-k2",
    "dialects": [
      "named-calls"
    ],
    "tokens": [
      "[EOS]",
      "[EOT]",
      "<|im_end|>",
      "<|im_assistant|>",
      "<|im_middle|>",
      "<|tool_call_section_begin|>",
      "<|tool_call_section_end|>",
      "<|tool_call_argument_begin|>"
    ],
    "control": true
  },
  {
    "id": "kimi-k3",
    "dialects": [
      "xtml-call",
      "xtml-call-spaced"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<|open|>think<|sep|>"
        },
        "close": {
          "text": "<|close|>think<|sep|>"
        }
      },
      {
        "open": {
          "text": "<|open|> think <|sep|>"
        },
        "close": {
          "text": "<|close|>think<|sep|>"
        }
      }
    ],
    "tokens": [
      "<|open|>response<|sep|>",
      "<|close|>response<|sep|>",
      "<|close|>message<|sep|>",
      "<|open|>message role=\"assistant\"<|sep|>",
      "<|end_of_msg|>",
      "<|close|> response <|sep|>",
      "<|close|> message <|sep|>",
      "<|open|> response <|sep|>",
      "<|open|> message role=\"assistant\" <|sep|>",
      "<|close|> think <|sep|>"
    ],
    "answer": [
      "<|open|>response<|sep|>",
      "<|open|> response <|sep|>",
      "<|close|> think <|sep|>"
    ],
    "control": true
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
    "id": "lfm-2",
    "dialects": [
      "python-calls-token",
      "python-calls"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>",
      "<|startoftext|>",
      "<|tool_list_start|>",
      "<|tool_list_end|>",
      "<|tool_response_start|>",
      "<|tool_response_end|>"
    ],
    "control": true
  },
  {
    "id": "ling-3",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<|role_end|>",
      "<role>ASSISTANT</role>"
    ]
  },
  {
    "id": "llama-3",
    "dialects": [
      "bare-json",
      "python-tag-json",
      "tool-call-tag-python",
      "bare-json-fenced",
      "function-arguments"
    ],
    "tokens": [
      "<|start_header_id|>assistant<|end_header_id|>",
      "<|eot_id|>",
      "<|eom_id|>",
      "<|end_of_text|>",
      "<|eom|>"
    ]
  },
  {
    "id": "llama-3-pythonic",
    "dialects": [
      "python-calls"
    ],
    "tokens": [
      "<|start_header_id|>assistant<|end_header_id|>",
      "<|eot_id|>",
      "<|eom_id|>",
      "<|end_of_text|>"
    ]
  },
  {
    "id": "llama-4",
    "dialects": [
      "python-calls",
      "python-calls-start",
      "bare-json",
      "function-arguments"
    ],
    "tokens": [
      "<|header_start|>assistant<|header_end|>",
      "<|eot|>",
      "<|eom|>"
    ]
  },
  {
    "id": "lm-studio",
    "dialects": [
      "tool-request"
    ],
    "tokens": [
      "[END_TOOL_REQUEST]"
    ]
  },
  {
    "id": "longcat",
    "dialects": [
      "longcat-tool-call"
    ],
    "reasoning": [
      {
        "open": {
          "tag": "longcat_think"
        },
        "close": {
          "tag": "longcat_think"
        }
      }
    ],
    "tokens": [
      "</longcat_s>"
    ]
  },
  {
    "id": "longcat-2601",
    "dialects": [
      "longcat-pairs"
    ],
    "reasoning": [
      {
        "open": {
          "tag": "longcat_think"
        },
        "close": {
          "tag": "longcat_think"
        }
      }
    ],
    "tokens": [
      "</longcat_s>"
    ]
  },
  {
    "id": "magistral",
    "dialects": [
      "named-args"
    ],
    "tokens": [
      "[/TOOL_CALLS]"
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
    ],
    "control": true
  },
  {
    "id": "mimo-2",
    "dialects": [
      "function-parameters-tight",
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "mimo-7b",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "minicpm-5",
    "dialects": [
      "function-params"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
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
      "minimax-invoke",
      "tool_calls",
      "bracket-call",
      "minimax-invoke-cut"
    ],
    "tokens": [
      "[e~[",
      "]~b]"
    ]
  },
  {
    "id": "minimax-m3",
    "dialects": [
      "minimax-elements",
      "minimax-elements-cut"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<mm:think>"
        },
        "close": {
          "text": "</mm:think>"
        }
      }
    ],
    "control": true,
    "tokens": [
      "[e~[",
      "]~b]"
    ]
  },
  {
    "id": "mistral-v11",
    "dialects": [
      "named-args-id"
    ],
    "tokens": [
      "[/TOOL_CALLS]"
    ],
    "control": true
  },
  {
    "id": "mistral-v13",
    "dialects": [
      "named-args"
    ],
    "tokens": [
      "[/TOOL_CALLS]"
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
    ],
    "control": true
  },
  {
    "id": "mistral-v3",
    "dialects": [
      "tool-calls-array",
      "bare-json-array"
    ],
    "tokens": [
      "[/TOOL_CALLS]"
    ],
    "control": true
  },
  {
    "id": "muse",
    "dialects": [
      "muse-messages",
      "atem-invoke"
    ],
    "reasoning": []
  },
  {
    "id": "nemotron-2",
    "dialects": [
      "toolcall-array"
    ],
    "tokens": [
      "<SPECIAL_11>Assistant",
      "<SPECIAL_12>"
    ]
  },
  {
    "id": "nemotron-3",
    "dialects": [
      "function-parameters",
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "olmo-3",
    "dialects": [
      "python-calls-lines"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "phi-4-mini",
    "dialects": [
      "functools-array",
      "bare-json-fenced"
    ],
    "tokens": [
      "<|end|>",
      "<|assistant|>",
      "<|/tool_calls|>"
    ]
  },
  {
    "id": "plamo-3",
    "dialects": [
      "plamo-request"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<|plamo:begin_think:plamo|>"
        },
        "close": {
          "text": "<|plamo:end_think:plamo|>"
        }
      }
    ],
    "tokens": [
      "<|plamo:tag|>",
      "<|plamo:end_tool_request:plamo|>"
    ],
    "control": true
  },
  {
    "id": "qwen2.5-coder",
    "dialects": [
      "tool_call",
      "bare-json",
      "bare-json-fenced"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "qwen3",
    "dialects": [
      "tool_call",
      "calling-tool"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "qwen3-coder",
    "dialects": [
      "function-parameters",
      "tool_call",
      "calling-tool"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
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
    "id": "sarashina",
    "dialects": [
      "python-values-token",
      "python-values"
    ],
    "control": true
  },
  {
    "id": "seed-oss",
    "dialects": [
      "seed-parameters"
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
      "<seed:eos>",
      "<seed:bos>",
      "<seed:cot_budget_reflect>",
      "</seed:cot_budget_reflect>"
    ]
  },
  {
    "id": "smollm-3",
    "dialects": [
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "solar-open",
    "dialects": [
      "identified-calls"
    ],
    "reasoning": [
      {
        "open": {
          "text": "<|think|>"
        },
        "close": {
          "text": "<|end|>"
        }
      }
    ],
    "tokens": [
      "<|begin|>assistant",
      "<|content|>",
      "<|end|>"
    ],
    "control": true
  },
  {
    "id": "spark-2.5",
    "dialects": [
      "argument-pairs"
    ],
    "tokens": [
      "<｜end▁of▁sentence｜>",
      "<|Bot|>"
    ]
  },
  {
    "id": "step-3",
    "dialects": [
      "steptml-invoke"
    ],
    "tokens": [
      "<｜tool_calls_begin｜>",
      "<｜tool_calls_end｜>",
      "<｜tool_call_begin｜>",
      "<｜tool_call_end｜>",
      "function<｜tool_sep｜>",
      "<｜tool_sep｜>"
    ]
  },
  {
    "id": "step-3.5",
    "dialects": [
      "function-parameters",
      "tool_call"
    ],
    "tokens": [
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>"
    ]
  },
  {
    "id": "step-5",
    "dialects": [
      "function-parameters",
      "tool_call"
    ],
    "tokens": [
      "<|EOT|>",
      "<|BOT|>"
    ]
  },
  {
    "id": "trinity",
    "dialects": [
      "tool_call"
    ]
  },
  {
    "id": "xing-4",
    "dialects": [
      "param-key-pairs"
    ],
    "tokens": [
      "<_end>",
      "<_bot>",
      "<_observation>"
    ]
  },
  {
    "id": "xlam",
    "dialects": [
      "bare-json-array",
      "bare-json-fenced",
      "tool_call",
      "tool-calls-array"
    ],
    "tokens": [
      "<|start_header_id|>assistant<|end_header_id|>",
      "<|im_end|>",
      "<|im_start|>",
      "<|endoftext|>",
      "<|eot_id|>",
      "<|eom_id|>",
      "<|end_of_text|>"
    ]
  }
];
