"""YAML as a surface for JSON and nothing more: the loader of all that is authored in fixtures/src.

Why strict. Suites hold raw model text, which a block scalar of YAML shows as it is and JSON would
bury in escapes. But YAML reads ``no`` as false, ``12:30`` as 750, ``010`` as 8 and a key given
twice as its last value, and two loaders disagree on more. So a plain scalar has a type of JSON, or
is a string that no version of YAML reads as anything else; what is left in doubt is an error with
its line.

Where libyaml is there, its parser reads first, ten times as fast. It reads a few texts that the
pure parser refuses, or refuses in other words, so that it only ever says yes: what it or a rule
stumbles over, and what the two are known to read apart, goes to the pure parser, and the result
does not depend on whether libyaml is there (ADR-0085).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

MAX_DEPTH = 100
"""Far above what a suite may hold, far below what recursion can bear."""

MAX_INTEGER = 2**53
"""The largest integer up to which every binary64 reader agrees."""

_LITERALS: dict[str, object] = {"null": None, "true": True, "false": False}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")

# What YAML 1.1 or the core schema of YAML 1.2 types, beyond JSON's forms.
_OTHER_TYPES = re.compile(
    r"""
      (?i: y | n | yes | no | on | off | true | false | null | ~ )
    | [-+]? \. (?i: inf ) | \. (?i: nan )
    | [-+]? 0b [01_]+ | [-+]? 0o? [0-7_]+ | [-+]? 0x [0-9a-fA-F_]+     # binary, octal, hexadecimal
    | [-+]? [0-9] [0-9_]* (?: : [0-5]?[0-9] )+ (?: \. [0-9_]* )?       # base 60: 12:30
    | [-+]? [0-9] [0-9_]* (?: \. [0-9_]* )? (?: [eE][-+]?[0-9]+ )?     # 1_000, +1, 1., 007
    | [-+]? \. [0-9] [0-9_]* (?: [eE][-+]?[0-9]+ )?                    # .5
    | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} (?: (?: [Tt] | [ \t]+ ) [0-9] .* )?
    | = | <<
    """,
    re.VERBOSE,
)
_BANNED = {
    "\r": "a carriage return",
    "\ufeff": "a byte order mark",
    "\x85": "a raw U+0085",
    "\u2028": "a raw U+2028",
    "\u2029": "a raw U+2029",
}
_BANNED_CHARACTER = re.compile("[" + "".join(_BANNED) + "]")

# What libyaml takes and the pure parser refuses: a tab as white space, and a comment right behind
# the head of a block scalar. `_Reader` looks at question marks and at the tag `!`.
_READ_APART = re.compile(r"\t|[|>][-+0-9]*#")
_NO_CHARACTER = re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class StrictYamlError(ValueError):
    """A text that is not strict YAML: ``name`` of the file, ``line`` from 1, and ``reason``."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        super().__init__(f"{name}:{line}: {reason}")
        self.name = name
        self.line = line
        self.reason = reason


def load(text: str, name: str) -> object:
    """Read one document of strict YAML as JSON data; ``name`` stands in errors.

    Raises:
        StrictYamlError: the text is no YAML, holds what JSON has not, or what loaders read apart.
    """
    if banned := _BANNED_CHARACTER.search(text):
        raise StrictYamlError(name, _line_at(text, banned.start()), _BANNED[banned.group()])
    try:
        return read_fast(text)
    except Doubt:
        return read_pure(text, name)


def read_fast(text: str) -> object:
    """Read what both parsers read alike, with that of libyaml; ``text`` has no banned character.

    Raises:
        Doubt: the pure parser has to judge.
    """
    if not yaml.__with_libyaml__ or _READ_APART.search(text):
        raise Doubt
    try:
        return _Reader(text, "", yaml.CSafeLoader).document()
    except (yaml.YAMLError, ValueError, OverflowError):
        raise Doubt from None


def read_pure(text: str, name: str) -> object:
    """Read with the pure parser, which says what is wrong; otherwise as `load`.

    Raises:
        StrictYamlError: as `load`.
    """
    try:
        return _Reader(text, name, yaml.SafeLoader).document()
    except StrictYamlError:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = error.problem or error.context or "no YAML"
        raise StrictYamlError(name, mark.line + 1 if mark else 1, reason) from None
    except yaml.reader.ReaderError as error:
        reason = f"the character U+{ord(text[error.position]):04X} must be escaped"
        raise StrictYamlError(name, _line_at(text, error.position), reason) from None
    except (ValueError, OverflowError):
        # The scanner hands the number of an escape to chr() unchecked, and keeps no mark of it.
        escape = _NO_CHARACTER.search(text)
        line = _line_at(text, escape.start()) if escape else 1
        raise StrictYamlError(name, line, "an escape of no character") from None


def load_file(path: Path, name: str) -> object:
    """Read a UTF-8 file with `load`; line ends are not translated, so that a CR is seen.

    Raises:
        StrictYamlError: as `load`, or the bytes are not UTF-8.
        OSError: the file cannot be read.
    """
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise StrictYamlError(name, data.count(b"\n", 0, error.start) + 1, "not UTF-8") from None
    return load(text, name)


class Doubt(Exception):
    """The fast parser stops, and the pure one reads from the beginning."""


class _Reader:
    """The events of a parser as a value; refuses what JSON has not."""

    def __init__(
        self, text: str, name: str, parser: type[yaml.SafeLoader | yaml.CSafeLoader]
    ) -> None:
        self.text = text
        self.name = name
        self.next: Callable[[], Any] = parser(text).get_event

    def document(self) -> object:
        self.next()  # the start of the stream
        begin = self.next()
        if not isinstance(begin, yaml.DocumentStartEvent):
            raise StrictYamlError(self.name, 1, "no document")
        if begin.version or begin.tags:
            raise self.refusal(begin, "a directive")
        value = self.value(self.next(), 0, False)
        self.next()  # the end of the document
        if not isinstance(end := self.next(), yaml.StreamEndEvent):
            raise self.refusal(end, "more than one document")
        return value

    def value(self, event: Any, depth: int, flow: bool) -> object:
        # libyaml drops the tag `!` of a scalar, which then begins at it.
        if (
            event.anchor is not None
            or event.tag is not None
            or depth == MAX_DEPTH
            or self.text.startswith("!", event.start_mark.index)
        ):
            raise self.refusal(event, _unwanted(event))
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, flow)
        flow = flow or bool(event.flow_style)
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(inner := self.next(), yaml.SequenceEndEvent):
                items.append(self.value(inner, depth + 1, flow))
            return items
        members: dict[str, object] = {}
        while not isinstance(inner := self.next(), yaml.MappingEndEvent):
            if isinstance(inner, yaml.ScalarEvent) and not inner.style and inner.value == "<<":
                raise self.refusal(inner, "a merge key")
            key = self.value(inner, depth + 1, flow)
            if not isinstance(key, str):
                raise self.refusal(inner, "a key that is no string")
            if key in members:
                raise self.refusal(inner, f"the key {json.dumps(key)} again")
            members[key] = self.value(self.next(), depth + 1, flow)
        return members

    def scalar(self, event: yaml.ScalarEvent, flow: bool) -> object:
        text: str = event.value
        if event.style == '"' and _SURROGATE.search(text):
            raise self.refusal(event, "a surrogate escape; write the character")
        if event.style:
            return text
        if text == "":
            raise self.refusal(event, "an empty value; write null or ''")
        if flow and "?" in text:  # libyaml alone reads so
            raise self.refusal(event, "a question mark in a flow")
        if text in _LITERALS:
            return _LITERALS[text]
        if _NUMBER.fullmatch(text):
            return self.number(event)
        if _OTHER_TYPES.fullmatch(text):
            raise self.refusal(event, f"{text} is read differently by other YAML loaders; quote it")
        return text

    def number(self, event: yaml.ScalarEvent) -> int | float:
        text: str = event.value
        number = float(text)
        if math.isinf(number):
            raise self.refusal(event, f"{text} is not finite")
        if not _INTEGER.fullmatch(text):
            return number
        # The length comes first: Python refuses to read very long integers, with its own error.
        if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
            raise self.refusal(event, f"{text} is beyond 2^53; give it inside a text")
        return int(text)

    def refusal(self, event: Any, reason: str) -> StrictYamlError:
        return StrictYamlError(self.name, event.start_mark.line + 1, reason)


def _unwanted(event: Any) -> str:
    if isinstance(event, yaml.AliasEvent):
        return f"an alias, *{event.anchor}"
    if event.anchor is not None:
        return f"an anchor, &{event.anchor}"
    return f"nested deeper than {MAX_DEPTH}" if event.tag is None else f"a tag, {event.tag}"


def _line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
