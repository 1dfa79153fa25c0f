"""How what a template wrote is read back."""

from typing import Any

from commoncall.extraction import Extraction, extract
from commoncall.extraction.dialects import Tag
from commoncall.extraction.formats import load_format


def read_back(text: str, id: str, tools: list[dict[str, Any]], *, inside: bool) -> Extraction:
    """Return what the format finds."""
    names = [tool["function"]["name"] for tool in tools]
    return extract(text, effective=names, format=id, tools=tools, starts_in_reasoning=inside)


def calls_of(found: Extraction) -> list[tuple[str, dict[str, Any]]]:
    """Return names and arguments of the calls that were found."""
    return [(call["name"], call["arguments"]) for call in found["tool_calls"]]


def calls_in(text: str, id: str, tools: list[dict[str, Any]], *, inside: bool) -> dict[str, Any]:
    """Return the calls and the content that the format finds."""
    found = read_back(text, id, tools, inside=inside)
    return {"calls": calls_of(found), "content": (found["content"] or "").strip()}


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
