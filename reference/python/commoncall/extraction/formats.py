"""What families of models write, as data (definition "format")."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from commoncall.dialect_data import format_ids, read_format
from commoncall.extraction.dialects import DEFAULT_DIALECTS, Tag, marker_of
from commoncall.near import others_than

_TAGS = ("think", "thinking", "thought", "reasoning")


@dataclass(frozen=True, slots=True)
class Format:
    """What a family of models writes."""

    dialects: tuple[str, ...]  # the ids of those that are active with it
    # Each opener of reasoning with its closer.
    reasoning: tuple[tuple[Tag | str, Tag | str], ...] = tuple(
        (Tag(tag), Tag(tag)) for tag in _TAGS
    )
    labels: tuple[str, ...] = ()  # what may follow each opener of reasoning on its line
    tokens: tuple[str, ...] = ()  # fixed texts that mean nothing to a reader
    answer: tuple[str, ...] = ()  # those of them that end reasoning
    lone: tuple[Tag | str, ...] = ()  # the closers of reasoning where no reasoning is looked for
    has_control: bool = False  # its markers are control tokens, which no model writes as text


NO_FORMAT: Final = Format(DEFAULT_DIALECTS)
"""How a text is read without a format."""


@lru_cache
def load_format(id: str) -> Format:
    """Return a format by its id.

    Raises:
        ValueError: there is none (EXT-001).
    """
    if id not in format_ids():
        raise ValueError(f"there is no format {id!r}; {others_than(id, format_ids())}")
    document = read_format(id)
    pairs = document.get("reasoning", ())
    reasoning = tuple((marker_of(each["open"]), marker_of(each["close"])) for each in pairs)
    return Format(
        dialects=tuple(document["dialects"]),
        reasoning=reasoning if "reasoning" in document else NO_FORMAT.reasoning,
        labels=tuple(each.get("label", "") for each in pairs),
        tokens=tuple(document.get("tokens", ())),
        answer=tuple(document.get("answer", ())),
        has_control=document.get("control", False),
    )
