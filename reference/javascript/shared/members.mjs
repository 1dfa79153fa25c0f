// The members of inputs, as schemas/v1 has them. The build writes this; change those.

export const MEMBERS = {
  "capability.effective_tools": {
    "registered": {
      "required": true
    },
    "layers": {
      "required": true
    }
  },
  "capability.filter_prompt": {
    "sections": {
      "required": true
    },
    "plan": {
      "required": true
    }
  },
  "capability.plan_turn": {
    "registered": {
      "required": true
    },
    "layers": {
      "required": true
    },
    "capability": {
      "required": true
    },
    "text_protocol": {
      "required": true
    },
    "strict_parsing": {},
    "messages": {}
  },
  "capability.resolve": {
    "registries": {
      "required": true
    },
    "targets": {
      "required": true
    },
    "allow_inferred": {}
  },
  "event.check_trace": {
    "events": {
      "required": true
    }
  },
  "event.hash_arguments": {
    "arguments": {},
    "arguments_json": {},
    "full": {},
    "key": {}
  },
  "event.record_calls": {
    "request_id": {
      "required": true
    },
    "calls": {
      "required": true
    },
    "effective": {},
    "observe": {},
    "labels": {},
    "limits": {},
    "key": {}
  },
  "event.to_cloudevents": {
    "events": {
      "required": true
    },
    "source": {
      "required": true
    },
    "type_prefix": {
      "required": true
    },
    "times": {
      "required": true
    }
  },
  "event.to_otel": {
    "events": {
      "required": true
    }
  },
  "extraction.extract": {
    "text": {
      "required": true
    },
    "effective": {},
    "observe": {},
    "labels": {},
    "native_calls": {},
    "dialects": {},
    "format": {
      "known": [
        "anthropic-prompt",
        "apertus",
        "apriel",
        "beam",
        "bielik",
        "command-a",
        "deepseek-v3",
        "deepseek-v3.1",
        "deepseek-v3.2",
        "deepseek-v4",
        "deepseek-v4.1",
        "dots",
        "ernie",
        "exaone-4",
        "firefunction-2",
        "functionary-3",
        "functiongemma",
        "gemma-3",
        "gemma-4",
        "gigachat-3",
        "gigachat-3.5",
        "glm-4.5",
        "glm-4.7",
        "gpt-oss",
        "granite-20b-fc",
        "granite-3",
        "granite-3.1",
        "granite-4",
        "granite-4.2",
        "hermes",
        "hunyuan",
        "hy-3",
        "hy-4",
        "inkling",
        "intern-s1",
        "internlm",
        "iquest-q1",
        "jamba",
        "k2-horizon",
        "kimi-k2",
        "kimi-k3",
        "laguna",
        "lfm-2",
        "ling-3",
        "llama-3",
        "llama-3-pythonic",
        "llama-4",
        "lm-studio",
        "longcat",
        "longcat-2601",
        "magistral",
        "mimo-2",
        "mimo-7b",
        "minicpm-5",
        "minimax-m1",
        "minimax-m2",
        "mistral-v11",
        "mistral-v13",
        "mistral-v3",
        "nemotron-2",
        "nemotron-3",
        "olmo-3",
        "phi-4-mini",
        "plamo-3",
        "qwen2.5-coder",
        "qwen3",
        "qwen3-coder",
        "reka-edge",
        "seed-oss",
        "smollm-3",
        "solar-open",
        "spark-2.5",
        "step-3",
        "step-3.5",
        "step-5",
        "trinity",
        "xing-4",
        "xlam"
      ]
    },
    "fences": {
      "known": [
        "opaque",
        "extract"
      ]
    },
    "reasoning": {
      "known": [
        "open",
        "closed",
        "none"
      ]
    },
    "guided": {},
    "starts_in_reasoning": {},
    "tools": {},
    "limits": {}
  },
  "extraction.stream": {
    "chunks": {
      "required": true
    },
    "effective": {},
    "observe": {},
    "labels": {},
    "native_calls": {},
    "dialects": {},
    "format": {},
    "fences": {
      "known": [
        "opaque",
        "extract"
      ]
    },
    "reasoning": {
      "known": [
        "open",
        "closed",
        "none"
      ]
    },
    "guided": {},
    "starts_in_reasoning": {},
    "tools": {},
    "limits": {},
    "candidates": {}
  },
  "formats.profile": {
    "base": {
      "known": [
        "strict",
        "open"
      ]
    },
    "origin": {}
  },
  "payload.check_tool_call": {
    "tool_call": {
      "required": true
    },
    "truncated": {},
    "empty_arguments": {
      "known": [
        "reject",
        "allow_if_none_required"
      ]
    },
    "tool": {}
  },
  "payload.flatten_history": {
    "messages": {
      "required": true
    },
    "form": {
      "required": true,
      "known": [
        "quoted",
        "blocks"
      ]
    },
    "effective": {}
  },
  "payload.sanitize_history": {
    "messages": {
      "required": true
    },
    "disposition": {
      "required": true,
      "known": [
        "skip",
        "answer"
      ]
    },
    "open_turn": {},
    "profile": {}
  },
  "payload.sanitize_request": {
    "request": {
      "required": true
    },
    "capability": {
      "required": true
    },
    "strict": {},
    "profile": {}
  },
  "turn.prepare": {
    "request": {
      "required": true
    },
    "registries": {
      "required": true
    },
    "targets": {
      "required": true
    },
    "allow_inferred": {},
    "registered": {
      "required": true
    },
    "layers": {
      "required": true
    },
    "text_protocol": {
      "required": true
    },
    "strict_parsing": {},
    "sections": {},
    "disposition": {
      "required": true,
      "known": [
        "skip",
        "answer"
      ]
    },
    "open_turn": {},
    "profile": {}
  },
  "turn.receive": {
    "plan": {
      "required": true
    },
    "message": {
      "required": true
    },
    "request_id": {
      "required": true
    },
    "disposition": {
      "required": true,
      "known": [
        "skip",
        "answer"
      ]
    },
    "request": {},
    "aliases": {},
    "tools": {},
    "dialects": {},
    "format": {},
    "fences": {
      "known": [
        "opaque",
        "extract"
      ]
    },
    "reasoning": {
      "known": [
        "open",
        "closed",
        "none"
      ]
    },
    "guided": {},
    "starts_in_reasoning": {},
    "limits": {},
    "empty_arguments": {
      "known": [
        "reject",
        "allow_if_none_required"
      ]
    },
    "key": {},
    "profile": {}
  },
  "turn.settle": {
    "received": {
      "required": true
    },
    "outcomes": {
      "required": true
    },
    "profile": {}
  },
  "turn.stream": {
    "plan": {
      "required": true
    },
    "chunks": {
      "required": true
    },
    "request_id": {
      "required": true
    },
    "disposition": {
      "required": true
    },
    "request": {},
    "aliases": {},
    "tools": {},
    "dialects": {},
    "format": {},
    "fences": {},
    "reasoning": {},
    "guided": {},
    "starts_in_reasoning": {},
    "limits": {},
    "empty_arguments": {},
    "key": {},
    "profile": {}
  }
};
