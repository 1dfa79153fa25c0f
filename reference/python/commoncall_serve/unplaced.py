"""What a request of another interface says that has no place in Chat Completions, by name.

Only names are told, of members and of blocks, and only those that look like one: a client can call
a member by any text.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from commoncall.interface.blocks import list_in
from commoncall_serve.exchange import Json

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}(?:\.[a-z][a-z0-9_]{0,39})?")
_MOST: Final = 20

_READ: Final = {
    "text": {"text"},
    "input_text": {"text"},
    "output_text": {"text"},
    "refusal": {"refusal"},
    "image": {"source"},
    "input_image": {"image_url", "detail"},
    "thinking": {"thinking"},
    "reasoning": {"content", "summary"},
    "message": {"content"},
    "tool_use": {"name", "input"},
    "tool_result": {"tool_use_id", "content", "is_error"},
    "function_call": {"name", "namespace", "arguments"},
    "function_call_output": {"output"},
    "custom_tool_call": {"name", "namespace", "input"},
    "custom_tool_call_output": {"output"},
}
"""The blocks and items that have a place, and the members of them that are read."""

_INNER: Final = {"reasoning": {"effort"}, "text": {"format"}, "output_config": {"format"}}
"""Members whose members are read, and which."""

_TOOL: Final = {"name", "description", "strict", "input_schema", "parameters", "format", "tools"}
_TOOLS: Final = ("function", "custom", "namespace", None)
_COMMON: Final = {"type", "role", "id", "call_id", "status"}
_LISTS: Final = ("content", "output")


def unplaced(body: Json, placed: set[str]) -> list[str]:
    """Return the names of what goes nowhere, each once; ``placed`` are members that go."""
    found: list[str] = []
    for name in [name for name in body if name not in placed and body[name]]:
        inner = body[name]
        is_read = name in _INNER and isinstance(inner, dict)
        found += _beside(inner, _INNER[name], name) if is_read else [name]
    for name in ("system", "messages", "input"):
        found += _in_blocks(list_in(body, name))
    found += _in_tools(body)
    told = [name if _NAME.fullmatch(name) else "other" for name in found]
    named = [*dict.fromkeys(told)]
    return named[:_MOST] + (["more"] if len(named) > _MOST else [])


def _in_tools(body: Json) -> Iterator[str]:
    for tool in list_in(body, "tools"):
        if isinstance(tool, dict):
            kind = tool.get("type")
            yield from _beside(tool, _TOOL, "tools") if kind in _TOOLS else [f"tools.{kind}"]
            yield from _in_tools(tool)  # those of a namespace


def _in_blocks(blocks: list[Any]) -> Iterator[str]:
    for block in blocks:
        if not isinstance(block, dict):
            continue
        kind = str(block.get("type", "message"))
        if kind not in _READ:
            yield kind
            continue
        yield from _beside(block, _READ[kind], kind)
        for name in _LISTS:
            yield from _in_blocks(list_in(block, name))


def _beside(block: Json, read: set[str], kind: str) -> Iterator[str]:
    for name, value in block.items():
        # What is empty or false says nothing: a client writes out its defaults.
        if name not in read and name not in _COMMON and value:
            yield f"{kind}.{name}"
