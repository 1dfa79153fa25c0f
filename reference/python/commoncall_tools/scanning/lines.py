"""A line of a log: what it can be, and what is counted of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from commoncall.envelope import Finding
from commoncall.json_text import JSON_SPACE, is_shallow, scan_value
from commoncall.levels import level_of
from commoncall.payload.foreign_form import ForeignFormError, refuse_foreign_messages
from commoncall.payload.history import clean_history
from commoncall.payload.messages import is_text_part
from commoncall.payload.parts import text_of_parts
from commoncall.payload.profile import REFUSALS, UNPROFILED
from commoncall.payload.sanitizing import Run
from commoncall.places import found_at, read_pointer
from commoncall_tools.scanning.counts import (
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
from commoncall_tools.scanning.texts import FORMATS, Leak, leaks

MAX_LINE: Final = 64 * 1024 * 1024
"""The longest line, in bytes."""

MODEL_CHARACTERS: Final = 200
"""So many characters of the name of a model count."""

LEAK_CHARACTERS: Final = 1000
"""So many characters of a leak are shown at most."""

Pointer = tuple[str, ...]

_BAD_ESCAPE: Final = re.compile("~(?![01])")
_MESSAGE: Final = re.compile("/messages/([0-9]+)")

_ANY_ENDPOINT: Final = replace(UNPROFILED, refuses=frozenset(REFUSALS))
"""Where a stored history goes is not known: what any endpoint refuses is poison."""

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
    """A line that cannot be judged; its argument says why."""


def pointer(text: str) -> Pointer:
    """Read a JSON Pointer (RFC 6901).

    Raises:
        ValueError: it is none.
    """
    if (text and text[0] != "/") or _BAD_ESCAPE.search(text):
        raise ValueError(f"{text!r} is no JSON Pointer such as /choices/0/message/content")
    return read_pointer(text)


def scan_lines(
    lines: bytes | Iterable[str | bytes | None], how: How, *, file: str = "", first: int = 1
) -> Counts:
    """Judge lines; blank ones are none.

    Args:
        lines: JSON, each a history (an array of messages, or an object with ``messages``), a
            message (an object with ``role``), a reply (an object with ``choices``), both as
            ``request`` and ``response``, or a text (a string); with ``how.text`` anything that
            holds a string there. None is one that nobody holds, since it is too long. Bytes are
            many lines.
        how: how to read them.
        file: what examples and bad lines call the place of the lines.
        first: the number of the first line.
    """
    counts = no_counts()
    for at, line in enumerate(lines.split(b"\n") if isinstance(lines, bytes) else lines):
        place: Place = {"file": file, "line": first + at}
        try:
            value = _parsed(line)
            if value is ABSENT:
                continue
            _count(counts, _read(value, how), how, place)
        except BadLineError as error:
            bad = counts["bad"].setdefault(error.args[0], {"count": 0, "first": []})
            bad["count"] += 1
            if len(bad["first"]) < FIRST:
                bad["first"].append(place)
        counts["lines"] += 1
    return merge(counts, no_counts(), examples=how.examples)


# What a line says.


_Read = tuple[str, int, list[tuple[int, str]], Sequence[Finding] | None]
"""The model of a line, how many messages it has, its texts, each with the place of its message, or
-1 in no history, and what is found in its history.
"""


def _parsed(line: str | bytes | None) -> object:
    """Return what a line says, ``ABSENT`` of a blank one."""
    if line is None or len(line) > MAX_LINE:
        raise BadLineError("too_long")
    try:
        text = (line if isinstance(line, str) else line.decode()).strip(JSON_SPACE)
    except UnicodeDecodeError:
        raise BadLineError("not_utf8") from None
    if not text:
        return ABSENT
    if not is_shallow(text):
        raise BadLineError("too_deep")
    try:
        value, end = scan_value(text, 0)
    except (ValueError, StopIteration):
        raise BadLineError("not_json") from None
    if end < len(text):
        raise BadLineError("not_json")
    return value


def is_json(text: str) -> bool:
    """Tell whether a text is JSON, over as many lines as it has."""
    try:
        return _parsed(text) is not ABSENT
    except BadLineError:
        return False


def _read(value: object, how: How) -> _Read:
    model = found_at(value, how.model)
    name = model[:MODEL_CHARACTERS] if isinstance(model, str) else ""
    if how.text is not None:
        text = found_at(value, how.text, ABSENT)
        if text is None:  # nothing was said
            return name, 1, [], None
        if not isinstance(text, str):
            raise BadLineError("text_missing")
        return name, 1, [(-1, text)], None
    if isinstance(value, str):
        return name, 1, [(-1, value)], None
    if (
        isinstance(value, list)
        and value
        and not any(isinstance(found_at(each, ("role",)), str) for each in value)
    ):
        raise BadLineError("unknown_form")  # as a conversation in an array of its own
    members = value if isinstance(value, dict) else {"messages": value}
    if isinstance(members.get("role"), str):
        return name, 1, [(-1, _said(members))], None
    sent, came = _member(members, "request"), _member(members, "response")
    came = _member(came, "body") or came  # as a batch of OpenAI has it
    messages = _listed("messages", members, sent)
    replies = [_member(each, "message") for each in _listed("choices", members, came) or ()]
    if messages is None and not replies:
        raise BadLineError("unknown_form")
    for each in (sent, came):
        name = name or str(each.get("model") or "")[:MODEL_CHARACTERS]
    history = messages or []
    texts = [(at, _said(one)) for at, one in enumerate(history)]
    texts += [(-1, _said({"role": "assistant", **one})) for one in replies]
    return (
        name,
        len(history) + len(replies),
        texts,
        None if messages is None else _findings(messages),
    )


def _member(value: object, name: str) -> dict[str, object]:
    """Return an object that is a member of a value, an empty one where there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _listed(name: str, *objects: Mapping[str, object]) -> list[object] | None:
    """Return the first list of objects of this name, None where there is none."""
    for each in objects:
        found = each.get(name)
        if isinstance(found, list) and (not found or any(isinstance(one, dict) for one in found)):
            return found
    return None


def _findings(messages: list[object]) -> Sequence[Finding]:
    try:
        refuse_foreign_messages(messages)
    except ForeignFormError as error:
        raise BadLineError("form_not_chat_completions") from error
    run = Run(_ANY_ENDPOINT)
    # A tool can still be at work where nobody has spoken behind its call.
    last = messages[-1] if messages else None
    may_wait = not isinstance(last, dict) or last.get("role") != "user"
    clean_history(messages, "answer", may_wait, run)
    return run.rendered({"messages": messages})


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


# What is counted of it.


def _count(counts: Counts, read: _Read, how: How, place: Place) -> None:
    name, messages, texts, findings = read
    model = counts["models"].get(name)
    if model is None:
        model = counts["models"][name] = no_model()
    counts["messages"] += messages
    for at, text in texts:
        if text:
            counts["texts"] += 1
            model["texts"] += 1
            if found := leaks(text, how.formats):
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
        example["text"] = text[leak.start : leak.end][:LEAK_CHARACTERS]
    return example


def _count_history(counts: Counts, model: Model, findings: Sequence[Finding], place: Place) -> None:
    counts["histories"] += 1
    model["histories"] += 1
    if not findings:
        return
    for finding in findings:
        code = finding["code"]
        counts["findings"][code] = counts["findings"].get(code, 0) + 1
    poison = [one for one in findings if "refused" in one or level_of(one["code"]) != "note"]
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
