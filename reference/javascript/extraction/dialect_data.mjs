// What a port reads of spec/v1/dialects/*.json. The build writes this; change those.

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
    "common": true,
    "excludes": [
      "function-call-open"
    ],
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
        "parameters",
        "args"
      ],
      "nested": "function"
    }
  },
  {
    "id": "harmony-pseudo",
    "default": true,
    "excludes": [
      "beam-messages",
      "harmony",
      "muse-messages"
    ],
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
    "common": true,
    "excludes": [
      "argument-pairs",
      "hy-pairs",
      "param-key-pairs",
      "tool-call-tag-array",
      "tool-call-tag-python"
    ],
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
        "parameters",
        "args"
      ],
      "nested": "function"
    }
  },
  {
    "id": "tool_calls",
    "default": true,
    "common": true,
    "excludes": [
      "dsml-plain-calls"
    ],
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
      "scanner": "json_values",
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
      "hy-pairs",
      "param-key-pairs",
      "tool-call-tag-array",
      "tool-call-tag-python",
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
      "bare_value": true,
      "value_end": "</arg_value>",
      "python": true,
      "null_text": true,
      "trim": "none"
    }
  },
  {
    "id": "argument-pairs-6124c78e",
    "default": false,
    "section": {
      "opener": {
        "text": "<tool_calls:6124c78e>"
      },
      "closer": {
        "text": "</tool_calls:6124c78e>"
      }
    },
    "opener": {
      "text": "<tool_call:6124c78e>"
    },
    "closer": {
      "text": "</tool_call:6124c78e>"
    },
    "payload": {
      "scanner": "parameters",
      "name_in_first_line": true,
      "name_begin": "<arg_key:6124c78e>",
      "name_end": "</arg_key:6124c78e>",
      "value_begin": "<arg_value:6124c78e>",
      "value_end": "</arg_value:6124c78e>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "atem-invoke",
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
      "text": "<atem:invoke name=",
      "end": ">",
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
      "value_end": "</atem:parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "bare-json",
    "default": false,
    "excludes": [
      "bare-json-alone",
      "beam-messages",
      "harmony",
      "inkling-messages",
      "muse-messages"
    ],
    "opener": null,
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name"
      ],
      "arguments": [
        "parameters",
        "arguments"
      ],
      "nested": null,
      "calls": {
        "member": "tool_calls",
        "one": "function_call",
        "nested": "function"
      },
      "separator": ";",
      "words_behind": true
    }
  },
  {
    "id": "bare-json-alone",
    "default": false,
    "common": true,
    "excludes": [
      "bare-json",
      "beam-messages",
      "harmony",
      "inkling-messages",
      "muse-messages"
    ],
    "opener": null,
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters",
        "args"
      ],
      "nested": "function",
      "calls": {
        "member": "tool_calls",
        "one": "function_call",
        "nested": "function"
      }
    }
  },
  {
    "id": "bare-json-array",
    "default": false,
    "common": true,
    "excludes": [
      "beam-messages",
      "harmony",
      "inkling-messages",
      "muse-messages",
      "python-calls",
      "python-values"
    ],
    "opener": null,
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
        "parameters",
        "args"
      ],
      "nested": "function"
    }
  },
  {
    "id": "bare-json-fenced",
    "default": false,
    "common": true,
    "excludes": [
      "beam-messages",
      "harmony",
      "inkling-messages",
      "muse-messages"
    ],
    "opener": null,
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name"
      ],
      "arguments": [
        "parameters",
        "arguments"
      ],
      "nested": null,
      "calls": {
        "member": "tool_calls",
        "one": "function_call",
        "nested": "function"
      },
      "fence": "expected"
    }
  },
  {
    "id": "beam-messages",
    "default": false,
    "excludes": [
      "bare-json",
      "bare-json-alone",
      "bare-json-array",
      "bare-json-fenced",
      "gemma-bare-call",
      "harmony",
      "harmony-pseudo",
      "inkling-messages",
      "muse-messages",
      "python-calls",
      "python-values"
    ],
    "opener": {
      "text": "<|start|>assistant",
      "end": "<|message|>",
      "tokens": [
        "<|channel|>",
        "<|constrain|>"
      ],
      "messages": {
        "channel": "<|channel|>",
        "recipient": "to=",
        "types": [
          "xml"
        ],
        "kinds": {
          "analysis": "reasoning",
          "final": "content"
        },
        "ends": [
          "<|end|>",
          "<|call|>",
          "<|return|>"
        ]
      }
    },
    "closer": {
      "text": "<|call|>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<rfl:parameter name=\"",
      "name_end": "\">",
      "value_begin": "",
      "value_end": "</rfl:parameter>"
    }
  },
  {
    "id": "bracket-call",
    "default": false,
    "opener": {
      "text": "[TOOL_CALL]"
    },
    "closer": {
      "text": "[/TOOL_CALL]"
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
    "id": "call-fence",
    "default": false,
    "common": "extract",
    "opener": {
      "text": "```tool_call\n"
    },
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters",
        "args"
      ],
      "nested": "function",
      "fence": "open"
    }
  },
  {
    "id": "call-fence-hyphen",
    "default": false,
    "common": "extract",
    "opener": {
      "text": "```tool-call\n"
    },
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters",
        "args"
      ],
      "nested": "function",
      "fence": "open"
    }
  },
  {
    "id": "calling-tool",
    "default": false,
    "common": true,
    "opener": {
      "text": "[Calling tool:",
      "end": "(",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": ")]"
    },
    "payload": {
      "scanner": "json_arguments"
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
    "common": true,
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
      "text": "<｜tool▁call▁begin｜>",
      "end": "\n",
      "name": {
        "prefix": "",
        "counter": false,
        "behind": "<｜tool▁sep｜>"
      },
      "bare_end": true
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
    "id": "dots-invoke",
    "default": false,
    "excludes": [
      "dsml-plain-calls",
      "invoke-parameters",
      "minimax-invoke"
    ],
    "opener": {
      "text": "<invoke name=",
      "end": ">",
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
      "name_begin": "<parameter name=",
      "name_end": ">",
      "value_begin": "",
      "value_end": "</parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "dots-json",
    "default": false,
    "opener": {
      "tag": "dots_function_call"
    },
    "closer": {
      "tag": "dots_function_call"
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
    "id": "dsml-calls",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "<｜DSML｜ calls>"
      },
      "closer": {
        "text": "</｜DSML｜ calls>"
      }
    },
    "opener": {
      "text": "<｜DSML｜ invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</｜DSML｜ invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<｜DSML｜ parameter name=\"",
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
      "value_end": "</｜DSML｜ parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-calls-doubled",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "<｜｜DSML｜｜ calls>"
      },
      "closer": {
        "text": "</｜｜DSML｜｜ calls>"
      }
    },
    "opener": {
      "text": "<｜｜DSML｜｜ invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</｜｜DSML｜｜ invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<｜｜DSML｜｜ parameter name=\"",
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
      "value_end": "</｜｜DSML｜｜ parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-function-calls",
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
      "text": "<｜DSML｜invoke name=",
      "end": ">",
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
    "id": "dsml-plain-calls",
    "default": false,
    "excludes": [
      "dots-invoke",
      "invoke-parameters",
      "minimax-invoke",
      "tool_calls"
    ],
    "section": {
      "opener": {
        "text": "<tool_calls>"
      },
      "closer": {
        "text": "</tool_calls>"
      }
    },
    "opener": {
      "text": "<invoke name=",
      "end": ">",
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
      "value_end": "</parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-tool-calls",
    "default": false,
    "common": true,
    "excludes": [
      "dsml-function-calls"
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
      "text": "<｜DSML｜invoke name=",
      "end": ">",
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
    "id": "dsml-tool-calls-ascii",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "<|DSML|tool_calls>"
      },
      "closer": {
        "text": "</|DSML|tool_calls>"
      }
    },
    "opener": {
      "text": "<|DSML|invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</|DSML|invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<|DSML|parameter name=\"",
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
      "value_end": "</|DSML|parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-tool-calls-doubled",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "<｜｜DSML｜｜tool_calls>"
      },
      "closer": {
        "text": "</｜｜DSML｜｜tool_calls>"
      }
    },
    "opener": {
      "text": "<｜｜DSML｜｜invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</｜｜DSML｜｜invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<｜｜DSML｜｜parameter name=\"",
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
      "value_end": "</｜｜DSML｜｜parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-tool-calls-doubled-ascii",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "<||DSML||tool_calls>"
      },
      "closer": {
        "text": "</||DSML||tool_calls>"
      }
    },
    "opener": {
      "text": "<||DSML||invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</||DSML||invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<||DSML||parameter name=\"",
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
      "value_end": "</||DSML||parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-tool-calls-lines",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "<‖DSML‖tool_calls>"
      },
      "closer": {
        "text": "</‖DSML‖tool_calls>"
      }
    },
    "opener": {
      "text": "<‖DSML‖invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</‖DSML‖invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<‖DSML‖parameter name=\"",
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
      "value_end": "</‖DSML‖parameter>",
      "trim": "none"
    }
  },
  {
    "id": "dsml-tool-calls-spaced",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "< | DSML | tool_calls>"
      },
      "closer": {
        "text": "</ | DSML | tool_calls>"
      }
    },
    "opener": {
      "text": "< | DSML | invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</ | DSML | invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "< | DSML | parameter name=\"",
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
      "value_end": "</ | DSML | parameter>",
      "trim": "none"
    }
  },
  {
    "id": "function-arguments",
    "default": false,
    "excludes": [
      "function-parameters",
      "function-parameters-tight",
      "seed-parameters"
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
    "id": "function-call-open",
    "default": false,
    "excludes": [
      "function_call"
    ],
    "opener": {
      "tag": "function_call"
    },
    "closer": null,
    "payload": {
      "scanner": "json_object",
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
    "id": "function-call-role",
    "default": false,
    "opener": {
      "text": "function call<|role_sep|>"
    },
    "closer": null,
    "payload": {
      "scanner": "json_object",
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
    "id": "function-call-token",
    "default": false,
    "opener": {
      "text": "<|function_call|>"
    },
    "closer": null,
    "payload": {
      "scanner": "json_object",
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
    "id": "function-parameters",
    "default": false,
    "common": true,
    "excludes": [
      "function-arguments",
      "function-parameters-tight",
      "seed-parameters"
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
    "id": "function-parameters-tight",
    "default": false,
    "excludes": [
      "function-arguments",
      "function-parameters",
      "seed-parameters"
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
      "trim": "none",
      "python": true,
      "null_text": true
    }
  },
  {
    "id": "function-params",
    "default": false,
    "common": true,
    "opener": {
      "text": "<function name=",
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
      "name_begin": "<param name=",
      "name_end": ">",
      "value_begin": [
        {
          "text": "<![CDATA[",
          "kind": "string",
          "end": "]]>"
        },
        {
          "text": "",
          "kind": "typed"
        }
      ],
      "value_end": "</param>",
      "trim": "none",
      "python": true,
      "null_text": true
    }
  },
  {
    "id": "functiongemma-call",
    "default": false,
    "opener": {
      "text": "<start_function_call>"
    },
    "closer": {
      "text": "<end_function_call>"
    },
    "payload": {
      "scanner": "quoted_object",
      "name_begin": "call:",
      "quote": "<escape>",
      "trim": "none",
      "typed": true,
      "python": true,
      "null_text": true
    }
  },
  {
    "id": "functools-array",
    "default": false,
    "opener": {
      "text": "functools"
    },
    "closer": null,
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
    "id": "gcml-tool-calls",
    "default": false,
    "section": {
      "opener": {
        "text": "<｜GCML｜tool_calls>"
      },
      "closer": {
        "text": "</｜GCML｜tool_calls>"
      }
    },
    "opener": {
      "text": "<｜GCML｜invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</｜GCML｜invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<｜GCML｜parameter name=\"",
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
      "value_end": "</｜GCML｜parameter>",
      "trim": "none"
    }
  },
  {
    "id": "gemma-bare-call",
    "default": false,
    "excludes": [
      "beam-messages",
      "harmony",
      "inkling-messages",
      "muse-messages"
    ],
    "opener": null,
    "closer": null,
    "payload": {
      "scanner": "quoted_object",
      "name_begin": "call:",
      "quote": "<|\"|>",
      "trim": "none",
      "python": true
    }
  },
  {
    "id": "gemma-call",
    "default": false,
    "common": true,
    "opener": {
      "text": "<|tool_call>"
    },
    "closer": {
      "text": "<tool_call|>"
    },
    "payload": {
      "scanner": "quoted_object",
      "name_begin": "call:",
      "quote": "<|\"|>",
      "trim": "none",
      "python": true
    }
  },
  {
    "id": "harmony",
    "default": false,
    "excludes": [
      "bare-json",
      "bare-json-alone",
      "bare-json-array",
      "bare-json-fenced",
      "beam-messages",
      "gemma-bare-call",
      "harmony-pseudo",
      "inkling-messages",
      "muse-messages",
      "python-calls",
      "python-values"
    ],
    "opener": {
      "text": "<|start|>assistant",
      "end": "<|message|>",
      "tokens": [
        "<|channel|>",
        "<|constrain|>"
      ],
      "messages": {
        "channel": "<|channel|>",
        "recipient": "to=",
        "prefix": "functions.",
        "types": [
          "json",
          "JSON",
          "application/json",
          "code"
        ],
        "kinds": {
          "analysis": "reasoning",
          "commentary": "content",
          "final": "content"
        },
        "ends": [
          "<|end|>",
          "<|call|>",
          "<|return|>"
        ],
        "stripped": {
          "reasoning": "analysis",
          "content": "assistantfinal",
          "call": "assistantcommentary to="
        }
      }
    },
    "closer": {
      "text": "<|call|>"
    },
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "harmony-words",
    "default": false,
    "opener": {
      "text": "commentary to=functions.",
      "end": "<|constrain|>json",
      "bare_end": true,
      "name": {
        "prefix": "",
        "counter": false,
        "id": " json"
      }
    },
    "closer": null,
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "hy-pairs",
    "default": false,
    "excludes": [
      "argument-pairs",
      "param-key-pairs",
      "tool-call-tag-array",
      "tool-call-tag-python",
      "tool_call"
    ],
    "opener": {
      "text": "<tool_call>",
      "end": "<tool_sep>",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</tool_call>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<arg_key>",
      "name_end": "</arg_key>",
      "value_begin": "<arg_value>",
      "value_end": "</arg_value>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "hy-pairs-opensource",
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
    "id": "identified-calls",
    "default": false,
    "excludes": [
      "python-values-token"
    ],
    "section": {
      "opener": {
        "text": "<|tool_calls|>"
      },
      "closer": {
        "text": "<|calls|>"
      }
    },
    "opener": {
      "text": "<|tool_call:begin|>",
      "end": "<|tool_call:args|>",
      "name": {
        "prefix": "",
        "counter": false,
        "behind": "<|tool_call:name|>"
      }
    },
    "closer": {
      "text": "<|tool_call:end|>"
    },
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "ifm-pairs",
    "default": false,
    "section": {
      "opener": {
        "text": "<ifm|tool_calls>"
      },
      "closer": {
        "text": "</ifm|tool_calls>"
      }
    },
    "opener": {
      "text": "<ifm|tool_call>"
    },
    "closer": {
      "text": "</ifm|tool_call>"
    },
    "payload": {
      "scanner": "parameters",
      "name_in_first_line": true,
      "name_begin": "<ifm|arg_key>",
      "name_end": "</ifm|arg_key>",
      "value_begin": "<ifm|arg_value>",
      "value_end": "</ifm|arg_value>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "inkling-messages",
    "default": false,
    "excludes": [
      "bare-json",
      "bare-json-alone",
      "bare-json-array",
      "bare-json-fenced",
      "beam-messages",
      "gemma-bare-call",
      "harmony",
      "muse-messages",
      "python-calls",
      "python-values"
    ],
    "opener": {
      "text": "<|message_model|>",
      "end": "|>",
      "tokens": [
        "<|content_"
      ],
      "messages": {
        "channel": "<|content_",
        "kinds": {
          "thinking": "reasoning",
          "text": "content",
          "invoke_tool_json": "call"
        },
        "ends": [
          "<|end_message|>",
          "<|content_model_end_sampling|>"
        ]
      }
    },
    "closer": {
      "text": "<|end_message|>"
    },
    "payload": {
      "scanner": "json_object",
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
    "id": "invoke-fence",
    "default": false,
    "common": "extract",
    "opener": {
      "text": "```invoke\n"
    },
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters",
        "args"
      ],
      "nested": "function",
      "fence": "open"
    }
  },
  {
    "id": "invoke-parameters",
    "default": false,
    "common": true,
    "excludes": [
      "dots-invoke",
      "dsml-plain-calls",
      "minimax-invoke",
      "python-calls-lines"
    ],
    "section": {
      "opener": {
        "text": "<function_calls>"
      },
      "closer": {
        "text": "</function_calls>"
      }
    },
    "opener": {
      "text": "<invoke name=",
      "end": ">",
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
      "name_end": "\"",
      "value_begin": [
        {
          "text": ">",
          "kind": "typed"
        },
        {
          "text": " string=\"true\">",
          "kind": "string"
        },
        {
          "text": " string=\"false\">",
          "kind": "json"
        }
      ],
      "value_end": "</parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "invoke-parameters-prefixed",
    "default": false,
    "common": true,
    "section": {
      "opener": {
        "text": "<antml:function_calls>"
      },
      "closer": {
        "text": "</antml:function_calls>"
      }
    },
    "opener": {
      "text": "<antml:invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "</antml:invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<antml:parameter name=\"",
      "name_end": "\"",
      "value_begin": [
        {
          "text": ">",
          "kind": "typed"
        },
        {
          "text": " string=\"true\">",
          "kind": "string"
        },
        {
          "text": " string=\"false\">",
          "kind": "json"
        }
      ],
      "value_end": "</antml:parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "iquest-pairs",
    "default": false,
    "opener": {
      "tag": "iquest_tool_call"
    },
    "closer": {
      "tag": "iquest_tool_call"
    },
    "payload": {
      "scanner": "parameters",
      "name_in_first_line": true,
      "name_begin": "<arg_key>",
      "name_end": "</arg_key>",
      "value_begin": "<arg_value>",
      "value_end": "</arg_value>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "longcat-pairs",
    "default": false,
    "excludes": [
      "longcat-tool-call"
    ],
    "opener": {
      "tag": "longcat_tool_call"
    },
    "closer": {
      "tag": "longcat_tool_call"
    },
    "payload": {
      "scanner": "parameters",
      "name_in_first_line": true,
      "name_begin": "<longcat_arg_key>",
      "name_end": "</longcat_arg_key>",
      "value_begin": "<longcat_arg_value>",
      "value_end": "</longcat_arg_value>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "longcat-tool-call",
    "default": false,
    "common": true,
    "excludes": [
      "longcat-pairs"
    ],
    "opener": {
      "tag": "longcat_tool_call"
    },
    "closer": {
      "tag": "longcat_tool_call"
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
    "id": "minimax-elements",
    "default": false,
    "section": {
      "opener": {
        "text": "]<]minimax[>[<tool_call>"
      },
      "closer": {
        "text": "]<]minimax[>[</tool_call>"
      }
    },
    "opener": {
      "text": "]<]minimax[>[<invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "]<]minimax[>[</invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "]<]minimax[>[<",
      "name_end": ">",
      "value_begin": "",
      "value_end": "]<]minimax[>[</",
      "elements": true,
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "minimax-elements-cut",
    "default": false,
    "opener": {
      "text": "]<]minimax[>[invoke name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "]<]minimax[>[</invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "]<]minimax[>[<",
      "name_end": ">",
      "value_begin": "",
      "value_end": "]<]minimax[>[</",
      "elements": true,
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "minimax-invoke",
    "default": false,
    "excludes": [
      "dots-invoke",
      "dsml-plain-calls",
      "invoke-parameters"
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
      "text": "<invoke name=",
      "end": ">",
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
      "name_begin": "<parameter name=",
      "name_end": ">",
      "value_begin": "",
      "value_end": "</parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "minimax-invoke-cut",
    "default": false,
    "opener": {
      "text": "invoke name=\"",
      "end": "\">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "invoke>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "parameter name=\"",
      "name_end": "\">",
      "value_begin": "",
      "value_end": "parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "muse-messages",
    "default": false,
    "excludes": [
      "bare-json",
      "bare-json-alone",
      "bare-json-array",
      "bare-json-fenced",
      "beam-messages",
      "gemma-bare-call",
      "harmony",
      "harmony-pseudo",
      "inkling-messages",
      "python-calls",
      "python-values"
    ],
    "opener": {
      "text": "<|start|>assistant",
      "end": "<|message|>",
      "tokens": [],
      "messages": {
        "recipient": "to=",
        "kinds": {
          "to=self": "reasoning",
          "to=user": "content",
          "to=commentary": "content",
          "": "content"
        },
        "ends": [
          "<|eom|>",
          "<|eot|>"
        ]
      }
    },
    "closer": {
      "text": "<|eom|>"
    },
    "payload": {
      "scanner": "blocks"
    }
  },
  {
    "id": "named-args",
    "default": false,
    "common": true,
    "excludes": [
      "named-args-id",
      "tool-calls-array"
    ],
    "opener": {
      "text": "[TOOL_CALLS]",
      "end": "[ARGS]",
      "name": {
        "prefix": "",
        "counter": false
      },
      "bare_end": true
    },
    "closer": null,
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "named-args-id",
    "default": false,
    "excludes": [
      "named-args",
      "tool-calls-array"
    ],
    "opener": {
      "text": "[TOOL_CALLS]",
      "end": "[ARGS]",
      "bare_end": true,
      "name": {
        "prefix": "",
        "counter": false,
        "id": "[CALL_ID]"
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
    "common": true,
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
      "bare_end": true,
      "name": {
        "prefix": "functions.",
        "counter": true,
        "word": "functions"
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
    "id": "named-calls-cut",
    "default": false,
    "common": true,
    "opener": {
      "text": "functions.",
      "end": "<|tool_call_argument_begin|>",
      "name": {
        "prefix": "",
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
    "id": "param-key-pairs",
    "default": false,
    "excludes": [
      "argument-pairs",
      "hy-pairs",
      "tool-call-tag-array",
      "tool-call-tag-python",
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
      "name_begin": "<param_key>",
      "name_end": "</param_key>",
      "value_begin": "<param_value>",
      "value_end": "</param_value>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "plamo-request",
    "default": false,
    "section": {
      "opener": {
        "text": "<|plamo:begin_tool_requests:plamo|>"
      },
      "closer": {
        "text": "<|plamo:end_tool_requests:plamo|>"
      }
    },
    "opener": {
      "text": "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>",
      "end": "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "text": "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>"
    },
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "plugin-action",
    "default": false,
    "common": true,
    "opener": {
      "text": "<|action_start|><|plugin|>"
    },
    "closer": {
      "text": "<|action_end|>"
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
    "id": "plugin-action-spaced",
    "default": false,
    "common": true,
    "opener": {
      "text": "<|action_start|> <|plugin|>"
    },
    "closer": {
      "text": "<|action_end|>"
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
    "id": "python-calls",
    "default": false,
    "excludes": [
      "bare-json-array",
      "beam-messages",
      "harmony",
      "inkling-messages",
      "muse-messages",
      "python-values"
    ],
    "opener": null,
    "closer": null,
    "payload": {
      "scanner": "python_calls",
      "list": true
    }
  },
  {
    "id": "python-calls-lines",
    "default": false,
    "excludes": [
      "invoke-parameters"
    ],
    "opener": {
      "text": "<function_calls>"
    },
    "closer": {
      "text": "</function_calls>"
    },
    "payload": {
      "scanner": "python_calls",
      "list": false
    }
  },
  {
    "id": "python-calls-start",
    "default": false,
    "opener": {
      "text": "<|python_start|>"
    },
    "closer": {
      "text": "<|python_end|>"
    },
    "payload": {
      "scanner": "python_calls",
      "list": true
    }
  },
  {
    "id": "python-calls-token",
    "default": false,
    "common": true,
    "opener": {
      "text": "<|tool_call_start|>"
    },
    "closer": {
      "text": "<|tool_call_end|>"
    },
    "payload": {
      "scanner": "python_calls",
      "list": true
    }
  },
  {
    "id": "python-tag-json",
    "default": false,
    "opener": {
      "text": "<|python_tag|>"
    },
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name"
      ],
      "arguments": [
        "parameters",
        "arguments"
      ],
      "nested": null,
      "separator": ";"
    }
  },
  {
    "id": "python-values",
    "default": false,
    "excludes": [
      "bare-json-array",
      "beam-messages",
      "harmony",
      "inkling-messages",
      "muse-messages",
      "python-calls"
    ],
    "opener": null,
    "closer": null,
    "payload": {
      "scanner": "python_values",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments"
      ],
      "nested": null
    }
  },
  {
    "id": "python-values-token",
    "default": false,
    "common": true,
    "excludes": [
      "identified-calls"
    ],
    "opener": {
      "text": "<|tool_calls|>"
    },
    "closer": null,
    "payload": {
      "scanner": "python_values",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments"
      ],
      "nested": null
    }
  },
  {
    "id": "recipient-words",
    "default": false,
    "opener": {
      "text": "to=functions.",
      "end": "\n",
      "bare_end": true,
      "name": {
        "prefix": "",
        "counter": false,
        "id": " "
      }
    },
    "closer": null,
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "recipient-words-role",
    "default": false,
    "opener": {
      "text": "assistant to=functions.",
      "end": "\n",
      "bare_end": true,
      "name": {
        "prefix": "",
        "counter": false,
        "id": " "
      }
    },
    "closer": null,
    "payload": {
      "scanner": "json_arguments"
    }
  },
  {
    "id": "seed-parameters",
    "default": false,
    "excludes": [
      "function-arguments",
      "function-parameters",
      "function-parameters-tight"
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
    "id": "steptml-invoke",
    "default": false,
    "opener": {
      "text": "<steptml:invoke name=",
      "end": ">",
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
      "name_begin": "<steptml:parameter name=",
      "name_end": ">",
      "value_begin": "",
      "value_end": "</steptml:parameter>",
      "trim": "none"
    }
  },
  {
    "id": "tool",
    "default": false,
    "opener": {
      "tag": "tool"
    },
    "closer": {
      "tag": "tool"
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
    "id": "tool-call-id",
    "default": false,
    "common": true,
    "opener": {
      "text": "<tool_call id=",
      "end": ">"
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
        "parameters",
        "args"
      ],
      "nested": "function"
    }
  },
  {
    "id": "tool-call-named",
    "default": false,
    "common": true,
    "opener": {
      "text": "<tool_call name=",
      "end": ">",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": {
      "tag": "tool_call"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<parameter name=\"",
      "name_end": "\"",
      "value_begin": [
        {
          "text": ">",
          "kind": "typed"
        },
        {
          "text": " string=\"true\">",
          "kind": "string"
        },
        {
          "text": " string=\"false\">",
          "kind": "json"
        }
      ],
      "value_end": "</parameter>",
      "trim": "none",
      "null_text": true
    }
  },
  {
    "id": "tool-call-tag-array",
    "default": false,
    "excludes": [
      "argument-pairs",
      "hy-pairs",
      "param-key-pairs",
      "tool-call-tag-python",
      "tool_call"
    ],
    "opener": {
      "tag": "tool_call"
    },
    "closer": null,
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
    "id": "tool-call-tag-python",
    "default": false,
    "excludes": [
      "argument-pairs",
      "hy-pairs",
      "param-key-pairs",
      "tool-call-tag-array",
      "tool_call"
    ],
    "opener": {
      "tag": "tool_call"
    },
    "closer": {
      "tag": "tool_call"
    },
    "payload": {
      "scanner": "python_calls",
      "list": false
    }
  },
  {
    "id": "tool-call-token-array",
    "default": false,
    "common": true,
    "opener": {
      "text": "<|tool_call|>"
    },
    "closer": null,
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
    "id": "tool-calls-array",
    "default": false,
    "excludes": [
      "named-args",
      "named-args-id"
    ],
    "opener": {
      "text": "[TOOL_CALLS]"
    },
    "closer": null,
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
    "id": "tool-fence",
    "default": false,
    "common": "extract",
    "opener": {
      "text": "```tool\n"
    },
    "closer": null,
    "payload": {
      "scanner": "json_values",
      "names": [
        "name",
        "function",
        "tool"
      ],
      "arguments": [
        "arguments",
        "parameters",
        "args"
      ],
      "nested": "function",
      "fence": "open"
    }
  },
  {
    "id": "tool-fence-named",
    "default": false,
    "common": "extract",
    "opener": {
      "text": "```tool ",
      "end": "\n",
      "name": {
        "prefix": "",
        "counter": false
      }
    },
    "closer": null,
    "payload": {
      "scanner": "json_arguments",
      "fence": "open"
    }
  },
  {
    "id": "tool-request",
    "default": false,
    "opener": {
      "text": "[TOOL_REQUEST]"
    },
    "closer": null,
    "payload": {
      "scanner": "json_object",
      "names": [
        "name"
      ],
      "arguments": [
        "arguments"
      ],
      "nested": null
    }
  },
  {
    "id": "tool-tag",
    "default": false,
    "common": true,
    "each_tool": true,
    "words": [
      "a",
      "abbr",
      "address",
      "area",
      "article",
      "aside",
      "audio",
      "b",
      "base",
      "bdi",
      "bdo",
      "blockquote",
      "body",
      "br",
      "button",
      "canvas",
      "caption",
      "cite",
      "code",
      "col",
      "colgroup",
      "data",
      "datalist",
      "dd",
      "del",
      "details",
      "dfn",
      "dialog",
      "div",
      "dl",
      "dt",
      "em",
      "embed",
      "fieldset",
      "figcaption",
      "figure",
      "footer",
      "form",
      "h1",
      "h2",
      "h3",
      "h4",
      "h5",
      "h6",
      "head",
      "header",
      "hgroup",
      "hr",
      "html",
      "i",
      "iframe",
      "img",
      "input",
      "ins",
      "kbd",
      "label",
      "legend",
      "li",
      "link",
      "main",
      "map",
      "mark",
      "math",
      "menu",
      "meta",
      "meter",
      "nav",
      "noscript",
      "object",
      "ol",
      "optgroup",
      "option",
      "output",
      "p",
      "picture",
      "pre",
      "progress",
      "q",
      "rp",
      "rt",
      "ruby",
      "s",
      "samp",
      "script",
      "search",
      "section",
      "select",
      "slot",
      "small",
      "source",
      "span",
      "strong",
      "style",
      "sub",
      "summary",
      "sup",
      "svg",
      "table",
      "tbody",
      "td",
      "template",
      "textarea",
      "tfoot",
      "th",
      "thead",
      "time",
      "title",
      "tr",
      "track",
      "u",
      "ul",
      "var",
      "video",
      "wbr"
    ],
    "opener": {
      "text": "<NAME>"
    },
    "closer": {
      "text": "</NAME>"
    },
    "payload": {
      "scanner": "parameters",
      "name_begin": "<",
      "name_end": ">",
      "value_begin": "",
      "value_end": "</",
      "elements": true
    }
  },
  {
    "id": "tool_use",
    "default": false,
    "common": true,
    "opener": {
      "tag": "tool_use"
    },
    "closer": {
      "tag": "tool_use"
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
        "parameters",
        "args"
      ],
      "nested": "function"
    }
  },
  {
    "id": "toolcall-array",
    "default": false,
    "common": true,
    "opener": {
      "tag": "toolcall"
    },
    "closer": {
      "tag": "toolcall"
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
    "id": "tools-prefix-array",
    "default": false,
    "opener": {
      "text": "<|tools_prefix|>"
    },
    "closer": {
      "text": "<|tools_suffix|>"
    },
    "payload": {
      "scanner": "json_values",
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
    "id": "xtml-call",
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
      "end": "<|sep|>",
      "name": {
        "prefix": "",
        "counter": false,
        "id": "\""
      }
    },
    "closer": {
      "text": "<|close|>call<|sep|>"
    },
    "payload": {
      "scanner": "parameters",
      "json": {
        "begin": "<|open|>json type=\"object\"<|sep|>",
        "end": "<|close|>json<|sep|>"
      },
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
        },
        {
          "text": "<|sep|>",
          "kind": "typed"
        }
      ],
      "value_end": "<|close|>argument<|sep|>",
      "trim": "none"
    }
  },
  {
    "id": "xtml-call-spaced",
    "default": false,
    "section": {
      "opener": {
        "text": "<|open|> tools <|sep|>"
      },
      "closer": {
        "text": "<|close|> tools <|sep|>"
      }
    },
    "opener": {
      "text": "<|open|> call tool=\"",
      "end": "<|sep|>",
      "name": {
        "prefix": "",
        "counter": false,
        "id": "\""
      }
    },
    "closer": {
      "text": "<|close|> call <|sep|>"
    },
    "payload": {
      "scanner": "parameters",
      "json": {
        "begin": "<|open|> json type=\"object\" <|sep|>",
        "end": "<|close|> json <|sep|>"
      },
      "name_begin": "<|open|> argument key=\"",
      "name_end": "\"",
      "value_begin": [
        {
          "text": " type=\"string\" <|sep|>",
          "kind": "string"
        },
        {
          "text": " type=\"number\" <|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"integer\" <|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"boolean\" <|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"array\" <|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"object\" <|sep|>",
          "kind": "json"
        },
        {
          "text": " type=\"null\" <|sep|>",
          "kind": "json"
        },
        {
          "text": " <|sep|>",
          "kind": "typed"
        }
      ],
      "value_end": "<|close|> argument <|sep|>",
      "trim": "none"
    }
  }
];
