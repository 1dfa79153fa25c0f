"""What families of models write, as data (definition "format")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from commoncall.dialect_data import format_ids, read_format
from commoncall.extraction.dialects import DEFAULT_DIALECTS, Tag, marker_of


@dataclass(frozen=True, slots=True)
class Format:
    """What a family of models writes.

    Attributes:
        dialects: the ids of those that are active with it.
        reasoning: each opener of reasoning with its closer.
        tokens: fixed texts that mean nothing to a reader.
    """

    dialects: tuple[str, ...]
    reasoning: tuple[tuple[Tag | str, Tag | str], ...] = ((Tag("think"), Tag("think")),)
    tokens: tuple[str, ...] = ()


NO_FORMAT: Final = Format(DEFAULT_DIALECTS)
"""How a text is read without a format."""


@lru_cache
def load_format(id: str) -> Format:
    """Return a format by its id.

    Raises:
        ValueError: there is none (EXT-176).
    """
    if id not in format_ids():
        raise ValueError(f"there is no format {id!r}; there are {', '.join(format_ids())}")
    return format_of(read_format(id))


def opens_reasoning(prompt: str, format: str) -> bool:
    """Tell whether a prompt, or its tail, ends in reasoning that it opened, so that the text of the
    model ``starts_in_reasoning``.

    No format says so: the same model has templates that open reasoning and others that do not.

    Raises:
        ValueError: there is no such format.
    """
    begun = -1, False
    for opener, closer in load_format(format).reasoning:
        for marker, slash, opens in ((opener, "", True), (closer, "/", False)):
            text = f"<{slash}{marker.name}>" if isinstance(marker, Tag) else marker
            begun = max(begun, (prompt.rfind(text), opens))
    return begun[1] and begun[0] >= 0


def format_of(document: Mapping[str, Any]) -> Format:
    """Return the format that a file describes (schema ``formats/format``)."""
    reasoning = tuple(
        (marker_of(each["open"]), marker_of(each["close"]))
        for each in document.get("reasoning", ())
    )
    return Format(
        dialects=tuple(document["dialects"]),
        reasoning=reasoning if "reasoning" in document else NO_FORMAT.reasoning,
        tokens=tuple(document.get("tokens", ())),
    )
