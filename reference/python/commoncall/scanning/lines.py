"""A line of a log: what it can be, and what is counted of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from commoncall.envelope import Finding
from commoncall.json_object import scanner_of
from commoncall.json_text import JSON_SPACE, MAX_DEPTH, is_shallow
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
from commoncall.scanning.texts import FORMATS, Leak, leaks, lines_that_open, opens_at_begin

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
    return _scan(lines, _parsed, how, {"file": file, "line": first})


def scan_block(block: bytes, how: How, *, file: str = "", first: int = 1) -> Counts:
    """Judge the lines of a block as ``scan_lines`` does. What can be asked of all of them at once
    is not asked of each: whether they are UTF-8 and shallow, and where a call could begin.
    """
    place: Place = {"file": file, "line": first}
    try:
        text = "" if len(block) > MAX_LINE else block.decode()
    except UnicodeDecodeError:
        text = ""
    if not text:
        return _scan(block.split(b"\n"), _parsed, how, place)
    scan = scanner_of(text)
    are_shallow = _are_shallow(block)

    def parsed(line: str) -> object:
        if not are_shallow and not is_shallow(line):
            raise BadLineError("too_deep")
        try:
            value, end = scan(line, 0)
        except (ValueError, StopIteration):
            return _parsed(line.encode())
        if end < len(line) and line[end:].strip(JSON_SPACE):
            raise BadLineError("not_json")
        return value

    return _scan(text.split("\n"), parsed, how, place, opened=lines_that_open(text))


_OTHERS: Final = bytes({*range(256)} - {*b"[{\n"})


def _are_shallow(block: bytes) -> bool:
    brackets = block.translate(None, _OTHERS).split(b"\n")
    return max(map(len, brackets)) <= MAX_DEPTH


_Lines = TypeVar("_Lines", str, bytes, str | bytes)


def _scan(
    lines: Iterable[_Lines],
    parsed: Callable[[_Lines], object],
    how: How,
    first: Place,
    *,
    opened: Container[int] | None = None,
) -> Counts:
    """Judge lines; ``opened`` are those, from 0, in which a call could begin that is not the whole
    of a text; None where nobody knows.
    """
    counts = no_counts()
    for at, line in enumerate(lines):
        try:
            value = parsed(line)
            if value is ABSENT:
                continue
            read = _read(value, how)
            place = first["file"], first["line"] + at
            _count(counts, read, how, place, opens=opened is None or at in opened)
        except BadLineError as error:
            _count_bad(counts, error.kind, {"file": first["file"], "line": first["line"] + at})
        counts["lines"] += 1
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


_Read = tuple[str, int, list[tuple[int, str]], Sequence[Finding] | None]
"""The model of a line that can be judged, how many messages it has, its texts, and what is found in
its history; a text has the place of its message, -1 in no history.
"""


def _parsed(line: str | bytes) -> object:
    """Return what a line says, ``ABSENT`` of a blank one."""
    if not line or line.isspace():
        return ABSENT
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


def _read(value: object, how: How) -> _Read:
    model = at_pointer(value, how.model)
    name = model[:MODEL_LENGTH] if isinstance(model, str) else ""
    if how.text is not None:
        text = at_pointer(value, how.text)
        if text is None:  # nothing was said
            return name, 1, [], None
        if not isinstance(text, str):
            raise BadLineError("text_missing")
        return name, 1, [(-1, text)], None
    if isinstance(value, str):
        return name, 1, [(-1, value)], None
    messages = value.get("messages") if isinstance(value, dict) else value
    if isinstance(messages, list) and _are_messages(messages):
        findings = () if all(map(_is_plain, messages)) else _findings(messages)
        texts = [(at, _said(one)) for at, one in enumerate(messages)]
        return name, len(messages), texts, findings
    if isinstance(value, dict) and isinstance(value.get("role"), str):
        return name, 1, [(-1, _said(value))], None
    raise BadLineError("unknown_form")


def _are_messages(listed: list[object]) -> bool:
    return not listed or any(isinstance(one, dict) for one in listed)


def _is_plain(message: object) -> bool:
    """Tell whether there is nothing to be found in a message, wherever it stands: somebody who is
    no tool says something. Most messages are so.
    """
    return (
        isinstance(message, dict)
        and len(message) == 2
        and message.get("role") in ("user", "assistant", "system")
        and isinstance(content := message.get("content"), str)
        and content != ""
    )


def _findings(messages: list[object]) -> Sequence[Finding]:
    try:
        return sanitize_history(messages, disposition="answer", open_turn=True)["findings"]
    except ForeignFormError as error:
        raise BadLineError("form_not_chat_completions") from error


def _said(message: object) -> str:
    """Return what an assistant said; nothing where somebody else did."""
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return text_of_parts(part for part in content if is_text_part(part))
    return ""


def at_pointer(value: object, place: Pointer) -> object:
    """Return what stands at a place of a JSON value, ``ABSENT`` where that is nothing."""
    if len(place) == 1 and isinstance(value, dict):
        return value.get(place[0], ABSENT)
    for name in place:
        if isinstance(value, dict):
            value = value.get(name, ABSENT)
        elif isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return ABSENT
    return value


# What is counted of it.


_At = tuple[str, int]
"""A file and the number of a line."""


def _count(counts: Counts, read: _Read, how: How, place: _At, *, opens: bool) -> None:
    name, messages, texts, findings = read
    model = counts["models"].get(name)
    if model is None:
        model = counts["models"][name] = no_model()
    counts["messages"] += messages
    for at, text in texts:
        if text:
            counts["texts"] += 1
            model["texts"] += 1
            if (opens or opens_at_begin(text)) and (found := leaks(text, how.formats)):
                _count_leaks(counts, model, found)
                if how.examples:
                    counts["examples"] += [_leaked(one, text, at, place, how) for one in found]
    if findings is not None:
        _count_history(counts, model, findings, place)


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


def _leaked(leak: Leak, text: str, at: int, place: _At, how: How) -> Example:
    example: Example = {
        "file": place[0],
        "line": place[1],
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


def _count_history(counts: Counts, model: Model, findings: Sequence[Finding], place: _At) -> None:
    counts["histories"] += 1
    model["histories"] += 1
    if not findings:
        return
    for finding in findings:
        code = finding["code"]
        counts["findings"][code] = counts["findings"].get(code, 0) + 1
    poison = [one for one in findings if level_of(one["code"]) != "note"]
    counts["poisoned"] += bool(poison)
    model["poisoned"] += bool(poison)
    counts["examples"] += [_poisoned(one, place) for one in poison]


def _poisoned(finding: Finding, place: _At) -> Example:
    example: Example = {
        "file": place[0],
        "line": place[1],
        "kind": "poisoned",
        "codes": [finding["code"]],
        "path": finding["path"],
    }
    if at := _MESSAGE.match(finding["path"]):
        example["message"] = int(at[1])
    return example
