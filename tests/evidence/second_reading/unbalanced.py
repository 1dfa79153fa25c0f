"""Unbalanced values: the text of a parameter in which a tag lacks its partner, row by row."""

import string
from dataclasses import dataclass, field
from typing import Any

from tests.evidence.second_reading.characters import (
    JSON_WHITE_SPACE,
    ascii_lower,
    skip_json_white_space,
)

LETTERS = string.ascii_letters + string.digits + "_-."


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
    value = trimmed(text)
    end = written["value_end"]
    others = [written["name_begin"]]
    if written["name_end"].startswith("<"):
        others.append(written["name_end"])
    others += [tag for tag in map(trimmed, texts_of_values(written)) if len(tag) > 1]
    word = end[2:-1] if end[:2] == "</" and end[-1] == ">" else None
    if word is not None and ("<" in word or ">" in word):
        word = None
    tags = tags_in(value, written, word)
    return (
        any(tags.open_before(len(value), kind) for kind in ("name_begin", "value_begin"))
        or begins_or_ends(value, others, end, tags)
        or ends_before_a_tag(value, written, word, tags)
        or any(stands_alone(value, each, f"</{each}") for each in (word, "parameter") if each)
        or (f"<{name}" not in value and (value.startswith(x := f"</{name}>") or value.endswith(x)))
    )


def trimmed(text: str) -> str:
    """Return a text without JSON white space at its ends."""
    return text.strip(JSON_WHITE_SPACE)


def texts_of_values(written: dict[str, Any]) -> list[str]:
    """Return the texts with which values begin, and their ends."""
    if isinstance(written["value_begin"], str):
        return [written["value_begin"]]
    return [text for each in written["value_begin"] for text in (each["text"], each.get("end", ""))]


def tags_in(value: str, written: dict[str, Any], word: str | None) -> Tags:
    """Return the tags of a value, and which of them the ends of values close."""
    texts = {"name_begin": written["name_begin"], "value_begin": written["value_begin"]}
    if not isinstance(texts["value_begin"], str) or not texts["value_begin"]:
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


def ends_before_a_tag(value: str, written: dict[str, Any], word: str | None, tags: Tags) -> bool:
    """Row 3."""
    alone = [at + len(written["value_end"]) for at, closed in tags.closing.items() if not closed]
    alike = ("param",) if word is None else ("param", ascii_lower(word))
    for behind in alone:
        at = skip_json_white_space(value, behind)
        behind_bracket = ascii_lower(value[at + 1 :])
        if value.startswith("<", at) and behind_bracket.startswith(alike):
            return True
        end = at
        while end < len(value) and value[end] in LETTERS:
            end += 1
        if end > at and value.startswith(written["name_end"], end):
            end += len(written["name_end"])
            if isinstance(written["value_begin"], str):
                if written["value_begin"]:
                    end = skip_json_white_space(value, end)
                begins = [written["value_begin"]]
            else:
                begins = [each["text"] for each in written["value_begin"]]
            if any(value.startswith(begin, end) for begin in begins):
                return True
    return False


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
