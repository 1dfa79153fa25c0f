"""What a request of another interface says that has no place in Chat Completions, by name.

Only names are told, of members and of blocks, and only those that look like one: a client can call
a member by any text.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from commoncall_serve.exchange import Json

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}(?:\.[a-z][a-z0-9_]{0,39})?")
_MOST: Final = 20

_BLOCKS: Final = frozenset(
    (
        *("text", "input_text", "output_text", "refusal", "image", "input_image", "thinking"),
        *("reasoning", "message", "tool_use", "tool_result", "function_call"),
        *("function_call_output", "custom_tool_call", "custom_tool_call_output"),
    )
)
"""The blocks and items that have a place."""

_READ: Final = frozenset(
    (
        *("type", "role", "id", "call_id", "status", "text", "refusal", "source", "image_url"),
        *("thinking", "content", "summary", "name", "input", "tool_use_id", "arguments", "output"),
        *("namespace", "detail"),
    )
)
"""The members of these that are read."""

_INNER: Final = {"reasoning": {"effort"}, "text": {"format"}, "output_config": {"format"}}
"""Members whose members are read, and which."""

_TOOL: Final = frozenset(
    (
        *("type", "name", "description", "strict", "input_schema", "parameters", "format"),
        "tools",
    )
)
_TOOLS: Final = ("function", "custom", "namespace", None)


def unplaced(body: Json, placed: set[str]) -> list[str]:
    """Return the names of what goes nowhere, each once; ``placed`` are members that go."""
    found: list[str] = []
    for name in [name for name in body if name not in placed and body[name]]:
        inner = body[name]
        is_read = name in _INNER and isinstance(inner, dict)
        found += _beside(inner, _INNER[name], name) if is_read else [name]
    for name in ("system", "messages", "input"):
        found += _in_blocks(body.get(name))
    found += _in_tools(body.get("tools"))
    told = [name if _NAME.fullmatch(name) else "other" for name in found]
    named = [*dict.fromkeys(told)]
    return named[:_MOST] + (["more"] if len(named) > _MOST else [])


def _in_tools(tools: Any) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            kind = tool.get("type")
            yield from _beside(tool, _TOOL, "tools") if kind in _TOOLS else [f"tools.{kind}"]
            yield from _in_tools(tool.get("tools"))  # those of a namespace


def _in_blocks(blocks: Any) -> Iterator[str]:
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, dict):
            kind = str(block.get("type", "message"))
            yield from _beside(block, _READ, kind) if kind in _BLOCKS else [kind]
            if kind in _BLOCKS:
                yield from _in_blocks(block.get("content"))
                yield from _in_blocks(block.get("output"))


def _beside(block: Json, read: set[str] | frozenset[str], kind: str) -> Iterator[str]:
    # What is empty or false says nothing: a client writes out its defaults.
    yield from (f"{kind}.{name}" for name, one in block.items() if name not in read and one)
