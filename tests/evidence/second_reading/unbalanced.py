"""Unbalanced values: the text of a parameter in which a tag lacks its partner, row by row."""

from dataclasses import dataclass, field
from typing import Any

from tests.evidence.second_reading.characters import JSON_WHITE_SPACE, skip_json_white_space


@dataclass
class Tags:
    """What stands where in a value: the begins of names and of values, likenesses, and the ends of
    values, each with what it closes.
    """

    opening: dict[str, list[int]] = field(default_factory=dict)
    closing: dict[int, list[tuple[str, int]]] = field(default_factory=dict)

    def open_before(self, at: int, kind: str) -> list[int]:
        """Return the tags of a kind before a place that no end of a value before it closes."""
        closed = [tag for end, tags in self.closing.items() if end < at for tag in tags]
        return [tag for tag in self.opening[kind] if tag < at and (kind, tag) not in closed]


def is_unbalanced(name: str, text: str, written: dict[str, Any]) -> bool:
    """Tell whether the text of a parameter is an unbalanced value (EXT-194)."""
    value = text.strip(JSON_WHITE_SPACE)
    end = written["value_end"]
    own = [
        tag
        for tag in (written["name_end"], written["value_begin"])
        if isinstance(tag, str) and tag.startswith("<")
    ]
    word = end[2:-1] if end[:2] == "</" and end[-1] == ">" else None
    if word is not None and ("<" in word or ">" in word):
        word = None
    tags = tags_in(value, written, word)
    return (
        any(tags.open_before(len(value), kind) for kind in ("name_begin", "value_begin"))
        or begins_or_ends(value, [written["name_begin"], *own], end, tags)
        or ends_before_a_tag(value, end, tags)
        or any(stands_alone(value, each, f"</{each}") for each in (word, "parameter") if each)
        or (f"<{name}" not in value and (value.startswith(x := f"</{name}>") or value.endswith(x)))
    )


def tags_in(value: str, written: dict[str, Any], word: str | None) -> Tags:
    """Return the tags of a value, and which of them the ends of values close."""
    texts = {"name_begin": written["name_begin"], "value_begin": written["value_begin"]}
    if not isinstance(texts["value_begin"], str) or not texts["value_begin"].startswith("<"):
        del texts["value_begin"]
    found = Tags({kind: places(value, text) for kind, text in texts.items()})
    found.opening.setdefault("value_begin", [])
    begun = [at for kind in found.opening.values() for at in kind]
    likes = places(value, f"<{word}") if word is not None else []
    found.opening["likeness"] = [at for at in likes if at not in begun]
    for at in places(value, written["value_end"]):
        opened = [(kind, found.open_before(at, kind)) for kind in found.opening]
        found.closing[at] = [(kind, tags[-1]) for kind, tags in opened if tags]
    return found


def places(value: str, text: str) -> list[int]:
    """Return where a text stands."""
    return [at for at in range(len(value)) if value.startswith(text, at)]


def begins_or_ends(value: str, others: list[str], end: str, tags: Tags) -> bool:
    """Row 2."""
    if any(value.startswith(tag) for tag in [*others, end]):
        return True
    if any(value.endswith(tag) for tag in others):
        return True
    last = tags.closing.get(len(value) - len(end))
    return last is not None and "likeness" not in [kind for kind, _ in last]


def ends_before_a_tag(value: str, end: str, tags: Tags) -> bool:
    """Row 3."""
    alone = [at for at, closed in tags.closing.items() if not closed]
    behind = [value[skip_json_white_space(value, at + len(end)) :] for at in alone]
    return any(rest.startswith("<") and not rest.startswith("</") for rest in behind)


def stands_alone(value: str, word: str, begin: str) -> bool:
    """Row 4, with a word: a closing tag at an end of the value that nothing in it opens."""
    if f"<{word}" in value:
        return False
    first, last = value.find(">"), value.rfind("<")
    ends = [value[: first + 1] if first >= 0 else "", value[last:] if last >= 0 else ""]
    return any(
        each.startswith(begin) and each.endswith(">") and each.count("<") + each.count(">") == 2
        for each in ends
    )
