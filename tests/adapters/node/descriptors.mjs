// The descriptors: what a port reads of spec/v1/dialects/*.json. Made by the build; edit there.

export const DESCRIPTORS = [
  {
    "id": "function",
    "default": true,
    "opener": {
      "tag": "function"
    },
    "closer": {
      "tag": "function"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": "function"
    }
  },
  {
    "id": "function_call",
    "default": true,
    "opener": {
      "tag": "function_call"
    },
    "closer": {
      "tag": "function_call"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": "function"
    }
  },
  {
    "id": "harmony-pseudo",
    "default": true,
    "opener": {
      "text": "<|start|>assistant",
      "end": "<|message|>",
      "tokens": [
        "<|channel|>",
        "<|constrain|>"
      ],
      "select": {
        "behind": "<|channel|>",
        "is": "tool"
      },
      "reserved": {
        "signs": [
          "recipient:",
          "to:",
          "to=",
          "<|constrain|>"
        ],
        "closers": [
          "<|end|>",
          "<|call|>"
        ]
      }
    },
    "closer": {
      "text": "<|end|>"
    },
    "payload": {
      "scanner": "json_object",
      "names": [
        "tool"
      ],
      "arguments": [
        "arguments"
      ],
      "nested": null
    },
    "repairs": [
      "missing_closer"
    ],
    "limit_bytes": 8192,
    "values": {
      "members": "exact",
      "arguments": "object",
      "name": "verbatim"
    }
  },
  {
    "id": "tool_call",
    "default": true,
    "opener": {
      "tag": "tool_call"
    },
    "closer": {
      "tag": "tool_call"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": "function"
    }
  },
  {
    "id": "tool_calls",
    "default": true,
    "opener": {
      "tag": "tool_calls"
    },
    "closer": {
      "tag": "tool_calls"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": "function"
    }
  },
  {
    "id": "tools",
    "default": true,
    "opener": {
      "tag": "tools"
    },
    "closer": {
      "tag": "tools"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": "function"
    }
  },
  {
    "id": "action-array",
    "default": false,
    "opener": {
      "text": "<|START_ACTION|>"
    },
    "closer": {
      "text": "<|END_ACTION|>"
    },
    "payload": {
      "scanner": "json_array",
      "names": [
        "tool_name",
        "name"
      ],
      "arguments": [
        "parameters",
        "arguments"
      ],
      "nested": null
    }
  },
  {
    "id": "argument-pairs",
    "default": false,
    "excludes": [
      "tool_call"
    ],
    "opener": {
      "tag": "tool_call"
    },
    "closer": {
      "tag": "tool_call"
    },
    "payload": {
      "scanner": "parameters",
      "name_in_first_line": true,
      "name_begin": "<arg_key>",
      "name_end": "</arg_key>",
      "value_begin": "<arg_value>",
      "value_end": "</arg_value>",
      "null_text": true,
      "trim": "none"
    }
  },
  {
    "id": "deepseek-calls",
    "default": false,
    "excludes": [
      "deepseek-fenced-calls"
    ],
    "section": {
      "opener": {
        "text": "<｜tool▁calls▁begin｜>"
      },
      "closer": {
        "text": "<｜tool▁calls▁end｜>"
      }
    },
    "opener": {
      "text": "<｜tool▁call▁begin｜>",
      "end": "<｜tool▁sep｜>",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "<｜tool▁call▁end｜>"
    },
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "deepseek-fenced-calls",
    "default": false,
    "excludes": [
      "deepseek-calls"
    ],
    "section": {
      "opener": {
        "text": "<｜tool▁calls▁begin｜>"
      },
      "closer": {
        "text": "<｜tool▁calls▁end｜>"
      }
    },
    "opener": {
      "text": "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
      "end": "\n",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "<｜tool▁call▁end｜>"
    },
    "payload": {
      "scanner": "json_arguments",
      "fence": "expected"
    }
  },
  {
    "id": "dsml-calls",
    "default": false,
    "excludes": [
      "dsml-tool-calls"
    ],
    "section": {
      "opener": {
        "text": "<｜DSML｜function_calls>"
      },
      "closer": {
        "text": "</｜DSML｜function_calls>"
      }
    },
    "opener": {
      "text": "<｜DSML｜invoke name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</｜DSML｜invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<｜DSML｜parameter name=\"",
      "name_end": "\"",
      "value_begin": [
        {
          "text": " string=\"true\">",
          "kind": "string"
        },
        {
          "text": " string=\"false\">",
          "kind": "json"
        },
        {
          "text": ">",
          "kind": "typed"
        }
      ],
      "value_end": "</｜DSML｜parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-tool-calls",
    "default": false,
    "excludes": [
      "dsml-calls"
    ],
    "section": {
      "opener": {
        "text": "<｜DSML｜tool_calls>"
      },
      "closer": {
        "text": "</｜DSML｜tool_calls>"
      }
    },
    "opener": {
      "text": "<｜DSML｜invoke name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</｜DSML｜invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<｜DSML｜parameter name=\"",
      "name_end": "\"",
      "value_begin": [
        {
          "text": " string=\"true\">",
          "kind": "string"
        },
        {
          "text": " string=\"false\">",
          "kind": "json"
        },
        {
          "text": ">",
          "kind": "typed"
        }
      ],
      "value_end": "</｜DSML｜parameter>",
      "trim": "none"
    }
  },
  {
    "id": "function-arguments",
    "default": false,
    "excludes": [
      "function-parameters",
      "seed-function-parameters"
    ],
    "opener": {
      "text": "<function=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "tag": "function"
    },
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "function-call-role",
    "default": false,
    "opener": {
      "text": "function call<|role_sep|>"
    },
    "closer": null,
    "payload": {
      "scanner": "json_object",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  },
  {
    "id": "function-call-token",
    "default": false,
    "opener": {
      "text": "<|function_call|>"
    },
    "closer": null,
    "payload": {
      "scanner": "json_object",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  },
  {
    "id": "function-named",
    "default": false,
    "opener": {
      "text": "<function name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</function>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<param name=\"",
      "name_end": "\">",
      "value_begin": "",
      "value_end": "</param>",
      "trim": "none",
      "python": true,
      "null_text": true
    }
  },
  {
    "id": "function-parameters",
    "default": false,
    "excludes": [
      "function-arguments",
      "seed-function-parameters"
    ],
    "opener": {
      "text": "<function=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "tag": "function"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<parameter=",
      "name_end": ">",
      "value_begin": "",
      "value_end": "</parameter>",
      "python": true,
      "null_text": true
    }
  },
  {
    "id": "functools",
    "default": false,
    "opener": {
      "text": "functools"
    },
    "closer": null,
    "payload": {
      "scanner": "json_array",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  },
  {
    "id": "hunyuan-pairs",
    "default": false,
    "section": {
      "opener": {
        "text": "<tool_calls:opensource>"
      },
      "closer": {
        "text": "</tool_calls:opensource>"
      }
    },
    "opener": {
      "text": "<tool_call:opensource>",
      "end": "<tool_sep:opensource>",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</tool_call:opensource>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<arg_key:opensource>",
      "name_end": "</arg_key:opensource>",
      "value_begin": "<arg_value:opensource>",
      "value_end": "</arg_value:opensource>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "inkling",
    "default": false,
    "opener": {
      "text": "<|content_invoke_tool_json|>"
    },
    "closer": {
      "text": "<|end_message|>"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name"
      ],
      "arguments": [
        "args"
      ],
      "nested": null
    }
  },
  {
    "id": "invoke-atem",
    "default": false,
    "section": {
      "opener": {
        "text": "<atem:function_calls>"
      },
      "closer": {
        "text": "</atem:function_calls>"
      }
    },
    "opener": {
      "text": "<atem:invoke name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</atem:invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<atem:parameter name=\"",
      "name_end": "\">",
      "value_begin": "",
      "value_end": "</atem:parameter>"
    }
  },
  {
    "id": "invoke-dots",
    "default": false,
    "excludes": [
      "invoke-minimax"
    ],
    "section": {
      "opener": {
        "text": "<dots_function_call>"
      },
      "closer": {
        "text": "</dots_function_call>"
      }
    },
    "opener": {
      "text": "<invoke name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<parameter name=\"",
      "name_end": "\">",
      "value_begin": "",
      "value_end": "</parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "invoke-minimax",
    "default": false,
    "excludes": [
      "invoke-dots"
    ],
    "section": {
      "opener": {
        "text": "<minimax:tool_call>"
      },
      "closer": {
        "text": "</minimax:tool_call>"
      }
    },
    "opener": {
      "text": "<invoke name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<parameter name=\"",
      "name_end": "\">",
      "value_begin": "",
      "value_end": "</parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "invoke-step",
    "default": false,
    "section": {
      "opener": {
        "text": "<｜tool_calls_begin｜>"
      },
      "closer": {
        "text": "<｜tool_calls_end｜>"
      }
    },
    "opener": {
      "text": "<steptml:invoke name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</steptml:invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<steptml:parameter name=\"",
      "name_end": "\">",
      "value_begin": "",
      "value_end": "</steptml:parameter>"
    }
  },
  {
    "id": "keyed-array",
    "default": false,
    "opener": {
      "text": "<|tools_prefix|>"
    },
    "closer": {
      "text": "<|tools_suffix|>"
    },
    "payload": {
      "scanner": "json_array",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments"
      ],
      "nested": null,
      "keyed": true
    }
  },
  {
    "id": "kimi-k3-calls",
    "default": false,
    "section": {
      "opener": {
        "text": "<|open|>tools<|sep|>"
      },
      "closer": {
        "text": "<|close|>tools<|sep|>"
      }
    },
    "opener": {
      "text": "<|open|>call tool=\"",
      "end": "\"<|sep|>",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "<|close|>call<|sep|>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<|open|>argument key=\"",
      "name_end": "\"",
      "value_begin": [
        {
          "text": " type=\"string\"<|sep|>",
          "kind": "string"
        },
        {
          "text": " type=\"number\"<|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"integer\"<|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"boolean\"<|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"array\"<|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"object\"<|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"null\"<|sep|>",
          "kind": "json"
        }
      ],
      "value_end": "<|close|>argument<|sep|>",
      "trim": "none"
    }
  },
  {
    "id": "longcat",
    "default": false,
    "opener": {
      "text": "<longcat_tool_call>"
    },
    "closer": {
      "text": "</longcat_tool_call>"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  },
  {
    "id": "named-args",
    "default": false,
    "excludes": [
      "tool-calls-array"
    ],
    "opener": {
      "text": "[TOOL_CALLS]",
      "end": "[ARGS]",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": null,
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "named-calls",
    "default": false,
    "section": {
      "opener": {
        "text": "<|tool_calls_section_begin|>"
      },
      "closer": {
        "text": "<|tool_calls_section_end|>"
      }
    },
    "opener": {
      "text": "<|tool_call_begin|>",
      "end": "<|tool_call_argument_begin|>",
      "name": {
        "prefix": "functions.",
        "counter": true
      }
    },
    "closer": {
      "text": "<|tool_call_end|>"
    },
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "plugin-action-spaced",
    "default": false,
    "opener": {
      "text": "<|action_start|> <|plugin|>"
    },
    "closer": {
      "text": "<|action_end|>"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  },
  {
    "id": "plugin-action",
    "default": false,
    "opener": {
      "text": "<|action_start|><|plugin|>"
    },
    "closer": {
      "text": "<|action_end|>"
    },
    "payload": {
      "scanner": "json_values",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  },
  {
    "id": "seed-function-parameters",
    "default": false,
    "excludes": [
      "function-arguments",
      "function-parameters"
    ],
    "section": {
      "opener": {
        "text": "<seed:tool_call>"
      },
      "closer": {
        "text": "</seed:tool_call>"
      }
    },
    "opener": {
      "text": "<function=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "tag": "function"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<parameter=",
      "name_end": ">",
      "value_begin": "",
      "value_end": "</parameter>",
      "trim": "none",
      "python": true,
      "null_text": true
    }
  },
  {
    "id": "tool-call-token",
    "default": false,
    "opener": {
      "text": "<|tool_call|>"
    },
    "closer": null,
    "payload": {
      "scanner": "json_array",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  },
  {
    "id": "tool-calls-array",
    "default": false,
    "excludes": [
      "named-args"
    ],
    "opener": {
      "text": "[TOOL_CALLS]"
    },
    "closer": null,
    "payload": {
      "scanner": "json_array",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": "function"
    }
  },
  {
    "id": "toolcall-array",
    "default": false,
    "opener": {
      "text": "<TOOLCALL>"
    },
    "closer": {
      "text": "</TOOLCALL>"
    },
    "payload": {
      "scanner": "json_array",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments",
        "parameters"
      ],
      "nested": null
    }
  }
];
