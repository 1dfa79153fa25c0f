"""How what a template wrote is read back."""

from typing import Any

from commoncall.extraction import Extraction, extract


def read_back(text: str, id: str, tools: list[dict[str, Any]], *, inside: bool) -> Extraction:
    """Return what the format finds."""
    names = [tool["function"]["name"] for tool in tools]
    return extract(
        text, effective=names, format=id, tools=tools, reasoning="open" if inside else "closed"
    )


def calls_of(found: Extraction) -> list[tuple[str, dict[str, Any]]]:
    """Return names and arguments of the calls that were found."""
    return [(call["name"], call["arguments"]) for call in found["tool_calls"]]
