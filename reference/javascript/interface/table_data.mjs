// The forms of spec/v1/interfaces/*.json. The build writes this; change those.

export const FORMS = {
  "anthropic-messages": {
    "messages": "messages",
    "system": "system",
    "has_items": false,
    "takes_blank_text": false,
    "text": {
      "user": "text",
      "assistant": "text"
    },
    "call": {
      "type": "tool_use",
      "id": "id",
      "arguments": "input",
      "arguments_are": "object"
    },
    "result": {
      "type": "tool_result",
      "id": "tool_use_id",
      "content": "content"
    },
    "text_tool": null,
    "namespace": null,
    "signed": [
      "thinking",
      "redacted_thinking"
    ],
    "signatures": {
      "thinking": "signature",
      "redacted_thinking": "data"
    },
    "most_marks": 4,
    "own_parts": [
      "document",
      "search_result",
      "container_upload",
      "image",
      "tool_reference",
      "thinking",
      "redacted_thinking",
      "server_tool_use",
      "web_search_tool_result",
      "web_fetch_tool_result",
      "code_execution_tool_result",
      "bash_code_execution_tool_result",
      "text_editor_code_execution_tool_result",
      "tool_search_tool_result",
      "mcp_tool_use",
      "mcp_tool_result",
      "compaction"
    ],
    "own_items": [],
    "tool_items": [],
    "function_types": [
      null,
      "custom"
    ],
    "parameters": "input_schema",
    "choices": {
      "auto": {
        "type": "auto"
      },
      "none": {
        "type": "none"
      },
      "required": {
        "type": "any"
      }
    },
    "named": "tool"
  },
  "ollama-chat": {
    "is_flat": true,
    "messages": "messages",
    "images": "images",
    "media": {
      "/9j/": "image/jpeg",
      "R0lGOD": "image/gif",
      "UklGR": "image/webp"
    },
    "result_name": "tool_name"
  },
  "openai-responses": {
    "messages": "input",
    "system": "instructions",
    "has_items": true,
    "takes_blank_text": true,
    "text": {
      "user": "input_text",
      "assistant": "output_text"
    },
    "call": {
      "type": "function_call",
      "id": "call_id",
      "arguments": "arguments",
      "arguments_are": "text"
    },
    "result": {
      "type": "function_call_output",
      "id": "call_id",
      "content": "output"
    },
    "text_tool": {
      "tool": "custom",
      "call": "custom_tool_call",
      "result": "custom_tool_call_output"
    },
    "namespace": "namespace",
    "signed": [
      "reasoning"
    ],
    "signatures": {},
    "most_marks": null,
    "own_parts": [
      "input_file",
      "input_image",
      "input_audio"
    ],
    "own_items": [
      "reasoning",
      "item_reference",
      "compaction",
      "web_search_call",
      "file_search_call",
      "computer_call",
      "computer_call_output",
      "code_interpreter_call",
      "image_generation_call",
      "local_shell_call",
      "local_shell_call_output",
      "shell_call",
      "shell_call_output",
      "apply_patch_call",
      "apply_patch_call_output",
      "mcp_list_tools",
      "mcp_approval_request",
      "mcp_approval_response",
      "mcp_call",
      "tool_search_call",
      "tool_search_output",
      "additional_tools",
      "program",
      "program_output",
      "compaction_trigger"
    ],
    "tool_items": [
      "tool_search_output",
      "additional_tools"
    ],
    "ids": {
      "message": "msg",
      "reasoning": "rs",
      "function_call": "fc",
      "function_call_output": "fc",
      "custom_tool_call": "ctc",
      "custom_tool_call_output": "ctc"
    },
    "function_types": [
      "function",
      "custom"
    ],
    "parameters": "parameters",
    "choices": {
      "auto": "auto",
      "none": "none",
      "required": "required"
    },
    "named": "function"
  }
};
