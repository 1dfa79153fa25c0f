"""Texts of public reports that models leak, and what their clients should see.

The names and values are our own; what is wanted is what its reporter would say.
"""

from typing import Any, NamedTuple


class Leak(NamedTuple):
    """What a model wrote, and what its client should see."""

    report: str
    model: str
    text: str
    content: str | None = None
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


CODER = "Qwen/Qwen3-Coder-30B-A3B-Instruct"
LIST = ("list_dir", {"path": "/srv"})
LEAKS = (
    Leak(
        "aaif-goose/goose#6883",
        CODER,
        "I list it first.\n\n<function=list_dir>\n<parameter=path>/srv</parameter>\n</function>\n"
        "</tool_call>",
        "I list it first.",
        (LIST,),
    ),
    Leak(
        "aaif-goose/goose#12371",
        CODER,
        'The file says "<function=list_dir><parameter=path>/srv</parameter></function>" there.',
        'The file says "<function=list_dir><parameter=path>/srv</parameter></function>" there.',
    ),
    Leak(
        "nearai/ironclaw#1641",
        "Qwen/Qwen3-30B-A3B",
        'It reads:\n\n> <tool_call>{"name":"list_dir","arguments":{"path":"/"}}</tool_call>\n\nNo.',
        'It reads:\n\n> <tool_call>{"name":"list_dir","arguments":{"path":"/"}}</tool_call>\n\nNo.',
    ),
    Leak(
        "openvinotoolkit/model_server#4487",
        "Qwen/Qwen3.8-27B",
        '<tool_call>\n<function=list_dir>\n<parameter="path">/srv</parameter>\n</function>\n'
        "</tool_call>",
        calls=(LIST,),
    ),
    Leak(
        "jundot/omlx#2565",
        "Qwen/Qwen2.5-Coder-7B-Instruct",
        '{"name": "list_dir", "arguments": {"path": "/srv"}}',
        calls=(LIST,),
    ),
    Leak(
        "anomalyco/opencode#34676",
        "deepseek-ai/DeepSeek-V4-Flash",
        '<invoke name="list_dir">\n<parameter name="path" string="true">/srv</parameter>\n'
        "</invoke>",
        calls=(LIST,),
    ),
    Leak(
        "CommandCodeAI/command-code#909",
        "deepseek-ai/DeepSeek-V4.1-Flash",
        'I look.\n\n<｜｜DSML｜｜ calls>\n<｜｜DSML｜｜ invoke name="list_dir">\n'
        '<｜｜DSML｜｜ parameter name="path" string="true">/srv</｜｜DSML｜｜ parameter>\n'
        "</｜｜DSML｜｜ invoke>\n</｜｜DSML｜｜ calls>",
        "I look.",
        (LIST,),
    ),
    Leak(
        "vllm-project/vllm#49249",
        "zai-org/GLM-4.7",
        "<tool_call>list_dir<arg_key>path</arg_key>/srv</arg_value></tool_call>",
        calls=(LIST,),
    ),
    Leak(
        "ggml-org/llama.cpp#17376",
        "moonshotai/Kimi-K2.5",
        "<|tool_call_section_begin|><|tool_call_begin|>functions.list_dir:0"
        '<|tool_call_argument_begin|>{"path":"/srv"}<|tool_call_end|><|tool_call_section_end|>',
        calls=(LIST,),
    ),
    Leak(
        "waybarrios/vllm-mlx#562",
        "openai/gpt-oss-20b",
        "<|channel|>analysis<|message|>I list it.\n<|end|><|start|>assistant<|channel|>analysis "
        'to=functions.list_dir code<|message|>\n{"path":"/srv"}<|call|>',
        calls=(LIST,),
    ),
)

TOOL = {
    "type": "function",
    "function": {
        "name": "list_dir",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}
