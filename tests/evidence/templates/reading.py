"""How what a template wrote is read back."""

from typing import Any

from commoncall.extraction import extract
from commoncall.extraction.dialects import Tag
from commoncall.extraction.formats import load_format


def calls_in(text: str, id: str, tools: list[dict[str, Any]], *, inside: bool) -> dict[str, Any]:
    """Return the calls and the content that the format finds."""
    names = [tool["function"]["name"] for tool in tools]
    result = extract(text, effective=names, format=id, tools=tools, starts_in_reasoning=inside)
    return {
        "calls": [(call["name"], call["arguments"]) for call in result["tool_calls"]],
        "content": (result["content"] or "").strip(),
    }


def is_inside(text: str, id: str) -> bool:
    """Tell whether a text begins in reasoning: a closer stands in it before any opener."""
    for opener, closer in load_format(id).reasoning:
        first, last = (
            text.find(f"<{slash}{each.name}>" if isinstance(each, Tag) else each)
            for each, slash in ((opener, ""), (closer, "/"))
        )
        if last >= 0 and not 0 <= first < last:
            return True
    return False
