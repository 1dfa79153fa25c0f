"""Built from spec/v1/dialects by tools/dialects.py. Not edited by hand."""

from __future__ import annotations

from typing import Any, Final

DESCRIPTORS: Final[tuple[dict[str, Any], ...]] = (
    {
        "format": 1,
        "id": "function",
        "title": "JSON between <function> tags",
        "default": True,
        "opener": {
            "tag": "function",
        },
        "closer": {
            "tag": "function",
        },
        "payload": {
            "scanner": "json_values",
            "names": [
                "name",
                "function",
                "tool",
            ],
            "arguments": [
                "arguments",
                "parameters",
            ],
            "nested": "function",
        },
    },
    {
        "format": 1,
        "id": "function_call",
        "title": "JSON between <function_call> tags",
        "default": True,
        "opener": {
            "tag": "function_call",
        },
        "closer": {
            "tag": "function_call",
        },
        "payload": {
            "scanner": "json_values",
            "names": [
                "name",
                "function",
                "tool",
            ],
            "arguments": [
                "arguments",
                "parameters",
            ],
            "nested": "function",
        },
    },
    {
        "format": 1,
        "id": "harmony-pseudo",
        "title": "A message on a channel for tools, which is no Harmony",
        "default": True,
        "opener": {
            "text": "<|start|>assistant",
            "end": "<|message|>",
            "tokens": [
                "<|channel|>",
                "<|constrain|>",
            ],
            "select": {
                "behind": "<|channel|>",
                "is": "tool",
            },
            "reserved": {
                "signs": [
                    "recipient:",
                    "to:",
                    "to=",
                    "<|constrain|>",
                ],
                "closers": [
                    "<|end|>",
                    "<|call|>",
                ],
            },
        },
        "closer": {
            "text": "<|end|>",
        },
        "payload": {
            "scanner": "json_object",
            "names": [
                "tool",
            ],
            "arguments": [
                "arguments",
            ],
            "nested": None,
        },
        "repairs": [
            "missing_closer",
        ],
        "limit_bytes": 8192,
        "values": {
            "members": "exact",
            "arguments": "object",
            "name": "verbatim",
        },
    },
    {
        "format": 1,
        "id": "tool_call",
        "title": "JSON between <tool_call> tags",
        "default": True,
        "opener": {
            "tag": "tool_call",
        },
        "closer": {
            "tag": "tool_call",
        },
        "payload": {
            "scanner": "json_values",
            "names": [
                "name",
                "function",
                "tool",
            ],
            "arguments": [
                "arguments",
                "parameters",
            ],
            "nested": "function",
        },
    },
    {
        "format": 1,
        "id": "tool_calls",
        "title": "JSON between <tool_calls> tags",
        "default": True,
        "opener": {
            "tag": "tool_calls",
        },
        "closer": {
            "tag": "tool_calls",
        },
        "payload": {
            "scanner": "json_values",
            "names": [
                "name",
                "function",
                "tool",
            ],
            "arguments": [
                "arguments",
                "parameters",
            ],
            "nested": "function",
        },
    },
    {
        "format": 1,
        "id": "tools",
        "title": "JSON between <tools> tags",
        "default": True,
        "opener": {
            "tag": "tools",
        },
        "closer": {
            "tag": "tools",
        },
        "payload": {
            "scanner": "json_values",
            "names": [
                "name",
                "function",
                "tool",
            ],
            "arguments": [
                "arguments",
                "parameters",
            ],
            "nested": "function",
        },
    },
    {
        "format": 1,
        "id": "argument-pairs",
        "title": "The name in the first line, then keys and values as tags",
        "default": False,
        "excludes": [
            "tool_call",
        ],
        "opener": {
            "tag": "tool_call",
        },
        "closer": {
            "tag": "tool_call",
        },
        "payload": {
            "scanner": "parameters",
            "name_in_first_line": True,
            "name_begin": "<arg_key>",
            "name_end": "</arg_key>",
            "value_begin": "<arg_value>",
            "value_end": "</arg_value>",
        },
    },
    {
        "format": 1,
        "id": "function-parameters",
        "title": "The name in the opener, parameters as tags",
        "default": False,
        "opener": {
            "text": "<function=",
            "end": ">",
            "name": {
                "prefix": "",
                "counter": False,
            },
        },
        "closer": {
            "tag": "function",
        },
        "payload": {
            "scanner": "parameters",
            "name_begin": "<parameter=",
            "name_end": ">",
            "value_begin": "",
            "value_end": "</parameter>",
        },
    },
    {
        "format": 1,
        "id": "named-calls",
        "title": "The name between tokens, its arguments as JSON",
        "default": False,
        "section": {
            "opener": {
                "text": "<|tool_calls_section_begin|>",
            },
            "closer": {
                "text": "<|tool_calls_section_end|>",
            },
        },
        "opener": {
            "text": "<|tool_call_begin|>",
            "end": "<|tool_call_argument_begin|>",
            "name": {
                "prefix": "functions.",
                "counter": True,
            },
        },
        "closer": {
            "text": "<|tool_call_end|>",
        },
        "payload": {
            "scanner": "json_arguments",
        },
    },
    {
        "format": 1,
        "id": "tool-calls-array",
        "title": "A JSON array behind one token, without a closer",
        "default": False,
        "opener": {
            "text": "[TOOL_CALLS]",
        },
        "closer": None,
        "payload": {
            "scanner": "json_array",
            "names": [
                "name",
                "function",
                "tool",
            ],
            "arguments": [
                "arguments",
                "parameters",
            ],
            "nested": "function",
        },
    },
)
