"""A line of a log: what it can be, and what is counted of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from commoncall.envelope import Finding
from commoncall.json_object import scanner_of
from commoncall.json_text import JSON_SPACE, is_shallow
from commoncall.levels import level_of
from commoncall.payload.foreign_form import ForeignFormError
from commoncall.payload.history import sanitize_history
from commoncall.payload.messages import is_text_part
from commoncall.payload.parts import text_of_parts
from commoncall.scanning.counts import (
    FIRST,
    Counts,
    Example,
    Model,
    Place,
    Tally,
    merge,
    no_counts,
    no_model,
    no_tally,
)
from commoncall.scanning.texts import FORMATS, Leak, leaks

MAX_LINE: Final = 64 * 1024 * 1024
"""The longest line, in bytes."""

MODEL_LENGTH: Final = 200
"""So many characters of the name of a model count."""

SHOWN: Final = 1000
"""So many characters of a leak are shown at most."""

BadKind = Literal[
    "form_not_chat_completions",
    "not_json",
    "not_utf8",
    "text_missing",
    "too_deep",
    "too_long",
    "unknown_form",
]

Pointer = tuple[str, ...]

_INDEX: Final = re.compile("0|[1-9][0-9]{0,8}")
_BAD_ESCAPE: Final = re.compile("~(?![01])")
_MESSAGE: Final = re.compile("/messages/([0-9]+)")

ABSENT: Final = object()
"""What no JSON value is."""


@dataclass(frozen=True, slots=True)
class How:
    """How to read lines.

    Attributes:
        formats: the ids of those to read texts with.
        text: where the text stands in a line, which then is nothing else.
        model: where the name of the model stands.
        examples: how many are kept of each kind, dialects and codes; of bad lines the places are
            kept in any case.
        shows_text: whether examples hold what the model wrote.
    """

    formats: Sequence[str] = FORMATS
    text: Pointer | None = None
    model: Pointer = ("model",)
    examples: int = 0
    shows_text: bool = False


class BadLineError(Exception):
    """A line that cannot be judged."""

    def __init__(self, kind: BadKind) -> None:
        super().__init__(kind)
        self.kind = kind


def pointer(text: str) -> Pointer:
    """Read a JSON Pointer (RFC 6901).

    Raises:
        ValueError: it is none.
    """
    if (text and text[0] != "/") or _BAD_ESCAPE.search(text):
        raise ValueError(f"{text!r} is no JSON Pointer such as /choices/0/message/content")
    return tuple(each.replace("~1", "/").replace("~0", "~") for each in text.split("/")[1:])


def scan_lines(lines: Iterable[str | bytes], how: How, *, file: str = "", first: int = 1) -> Counts:
    """Judge lines; blank ones are none.

    Args:
        lines: JSON, each a history (an array of messages, or an object with ``messages``), a
            message (an object with ``role``) or a text (a string); with ``how.text`` anything that
            holds a string there.
        how: how to read them.
        file: what examples and bad lines call the place of the lines.
        first: the number of the first line.
    """
    counts = no_counts()
    for number, line in enumerate(lines, first):
        if not line or line.isspace():
            continue
        counts["lines"] += 1
        place: Place = {"file": file, "line": number}
        try:
            _count(counts, _read(_parsed(line), how), how, place)
        except BadLineError as error:
            _count_bad(counts, error.kind, place)
    return merge(counts, no_counts(), examples=how.examples)


def too_long(file: str, line: int) -> Counts:
    """Return the counts of a line that nobody holds, since it is too long."""
    counts = no_counts()
    counts["lines"] = 1
    _count_bad(counts, "too_long", {"file": file, "line": line})
    return counts


def _count_bad(counts: Counts, kind: BadKind, place: Place) -> None:
    bad = counts["bad"].setdefault(kind, {"count": 0, "first": []})
    bad["count"] += 1
    if len(bad["first"]) < FIRST:
        bad["first"].append(place)


# What a line says.


class _Line(NamedTuple):
    """A line that can be judged; a text has the place of its message, -1 in no history."""

    model: str
    messages: int
    texts: list[tuple[int, str]]
    findings: list[Finding] | None


def _parsed(line: str | bytes) -> object:
    if len(line) > MAX_LINE:
        raise BadLineError("too_long")
    try:
        text = (line if isinstance(line, str) else line.decode()).strip(JSON_SPACE)
    except UnicodeDecodeError:
        raise BadLineError("not_utf8") from None
    if not is_shallow(text):
        raise BadLineError("too_deep")
    try:
        value, end = scanner_of(text)(text, 0)
    except (ValueError, StopIteration):
        raise BadLineError("not_json") from None
    if end < len(text):
        raise BadLineError("not_json")
    return value


def _read(value: object, how: How) -> _Line:
    model = at_pointer(value, how.model)
    name = model[:MODEL_LENGTH] if isinstance(model, str) else ""
    if how.text is not None:
        text = at_pointer(value, how.text)
        if text is None:  # nothing was said
            return _Line(name, 1, [], None)
        if not isinstance(text, str):
            raise BadLineError("text_missing")
        return _Line(name, 1, [(-1, text)], None)
    if isinstance(value, str):
        return _Line(name, 1, [(-1, value)], None)
    messages = value.get("messages") if isinstance(value, dict) else value
    if isinstance(messages, list) and _are_messages(messages):
        try:
            findings = sanitize_history(messages, disposition="answer", open_turn=True)["findings"]
        except ForeignFormError as error:
            raise BadLineError("form_not_chat_completions") from error
        texts = [(at, _said(one)) for at, one in enumerate(messages)]
        return _Line(name, len(messages), texts, findings)
    if isinstance(value, dict) and isinstance(value.get("role"), str):
        return _Line(name, 1, [(-1, _said(value))], None)
    raise BadLineError("unknown_form")


def _are_messages(listed: list[object]) -> bool:
    return not listed or any(isinstance(one, dict) for one in listed)


def _said(message: object) -> str:
    """Return what an assistant said; nothing where somebody else did."""
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return ""
    content = message.get("content")
    if isinstance(content, list):
        return text_of_parts(part for part in content if is_text_part(part))
    return content if isinstance(content, str) else ""


def at_pointer(value: object, place: Pointer) -> object:
    """Return what stands at a place of a JSON value, ``ABSENT`` where that is nothing."""
    for name in place:
        if isinstance(value, dict):
            value = value.get(name, ABSENT)
        elif isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return ABSENT
    return value


# What is counted of it.


def _count(counts: Counts, line: _Line, how: How, place: Place) -> None:
    model = counts["models"].get(line.model)
    if model is None:
        model = counts["models"][line.model] = no_model()
    counts["messages"] += line.messages
    for at, text in line.texts:
        if text:
            counts["texts"] += 1
            model["texts"] += 1
            found = leaks(text, how.formats)
            if found:
                _count_leaks(counts, model, found)
                if how.examples:
                    counts["examples"] += [_leaked(one, text, at, place, how) for one in found]
    if line.findings is not None:
        _count_history(counts, model, line.findings, place)


def _count_leaks(counts: Counts, model: Model, found: Sequence[Leak]) -> None:
    for leak in found:
        own: list[tuple[Tally, int]] = [(counts["leaks"], leak.calls), (model["leaks"], leak.calls)]
        for dialect, calls in leak.dialects.items():
            own.append((counts["dialects"].setdefault(dialect, no_tally()), calls))
        for format in leak.formats:
            own.append((counts["formats"].setdefault(format, no_tally()), leak.calls))
        for tally, calls in own:
            tally["calls"] += calls
            tally["rejected"] += not leak.calls
        for code in leak.codes:
            counts["codes"][code] = counts["codes"].get(code, 0) + 1
    counts["leaks"]["texts"] += 1
    model["leaks"]["texts"] += 1
    for dialect in {one for leak in found for one in leak.dialects}:
        counts["dialects"][dialect]["texts"] += 1
    for format in {one for leak in found for one in leak.formats}:
        counts["formats"][format]["texts"] += 1


def _leaked(leak: Leak, text: str, at: int, place: Place, how: How) -> Example:
    example: Example = {
        "file": place["file"],
        "line": place["line"],
        "kind": "call" if leak.calls else "rejected",
        "calls": leak.calls,
        "dialects": [*leak.dialects],
        "codes": [*leak.codes],
    }
    if at >= 0:
        example["message"] = at
    if how.shows_text:
        example["text"] = text[leak.start : leak.end][:SHOWN]
    return example


def _count_history(counts: Counts, model: Model, findings: Sequence[Finding], place: Place) -> None:
    counts["histories"] += 1
    model["histories"] += 1
    for finding in findings:
        code = finding["code"]
        counts["findings"][code] = counts["findings"].get(code, 0) + 1
    poison = [one for one in findings if level_of(one["code"]) != "note"]
    counts["poisoned"] += bool(poison)
    model["poisoned"] += bool(poison)
    counts["examples"] += [_poisoned(one, place) for one in poison]


def _poisoned(finding: Finding, place: Place) -> Example:
    example: Example = {
        "file": place["file"],
        "line": place["line"],
        "kind": "poisoned",
        "codes": [finding["code"]],
        "path": finding["path"],
    }
    if at := _MESSAGE.match(finding["path"]):
        example["message"] = int(at[1])
    return example
