"""Blocks whose payload is parameters in tags (definitions "parameter", "quoted block", "payload of
parameters").
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Literal

from commoncall.call_object import RefusedError, clean_name, unquoted_name
from commoncall.extraction.call_value import (
    Found,
    read_named_payload,
    read_payload_calls,
    with_note,
)
from commoncall.extraction.dialects import DIALECTS, HEADER_LENGTH, Dialect, Kind
from commoncall.extraction.elements import with_elements
from commoncall.extraction.json_block import read_values
from commoncall.extraction.language import closers, ends_of_values
from commoncall.extraction.markers import Marker, Markers
from commoncall.extraction.parameters import Parameter, read_parameters
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.payloads import Broken, Payload, begins_line, end_payload, short_name
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf, Source
from commoncall.json_text import JSON_SPACE, SPACE_RUN

_LINE_RUN = re.compile(r"[^\n<{]*")
_LINE_END = re.compile(r"\r?\n\Z")
_BEGUN = re.compile(r"<([A-Za-z0-9_.-]+)")
_NAME = re.compile(r"[ \t\n\r]*[^\n<]*[ \t\n\r]*")

Follows = Marker | Literal["name", "outer", "cut"] | None
"""What stands behind a value: the own closer, the begin of a name, the closer of a wrapper, whole
or cut off, an own closer that is cut off, or none of these.
"""


class _MissingError(Exception):
    """Something else stands at the cursor than this text, so who reads a parameter gives up."""


def begins_parameters(
    reading: Reading, block: Block, space: str, found: Marker | None
) -> ParseOf[bool]:
    """Tell whether a payload of parameters begins at the cursor, where the marker is, if any."""
    source, dialect = reading.source, block.dialect
    if dialect.name_in_first_line:
        return source.text[source.at] == "{" or begins_line(source.text[source.at], space)
    if found and found.is_closer(dialect.key):
        return True
    if (yield from _begins_json(source, dialect)) or _cut_closer(reading, dialect) == "cut":
        return True
    return (yield from source.stands(dialect.name_begin))


def read_parameters_block(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read parameters up to the own closer, which has to follow them (EXT-116)."""
    source, dialect = reading.source, block.dialect
    name: str | None = dialect.name_in_header(block.header)
    if dialect.name_in_first_line:
        name = yield from _first_line(source)
    if name is None:
        return "wrong"
    start = source.offset
    yield from source.skip_run(SPACE_RUN)
    if (yield from _begins_json(source, dialect)):
        return (yield from _read_json(reading, dialect, name))
    source.back_to(start)
    return (yield from _read_parameters(reading, block, name))


def _begins_json(source: Source, dialect: Dialect) -> ParseOf[bool]:
    """Tell whether JSON begins in the place of parameters."""
    if (yield from source.peek()) == "{":
        return True
    return dialect.json is not None and (yield from source.stands(dialect.json[0]))


def _read_json(reading: Reading, dialect: Dialect, name: str) -> ParseOf[Payload | Broken]:
    """Read JSON in the place of parameters, which is the arguments of the call."""
    source, end = reading.source, ""
    if dialect.json and (yield from source.literal(dialect.json[0])):
        end = dialect.json[1]
        yield from source.skip_run(SPACE_RUN)
        if (yield from source.peek()) not in ("{", ""):
            return "wrong"
    start, scanner = source.offset, PayloadScanner()
    yield from read_values(reading, scanner)
    judge = partial(read_named_payload, scanner, name)
    if dialect.name_in_first_line and not name:  # the object has the name
        judge = partial(read_payload_calls, scanner, DIALECTS["tool_call"], "")
    read = end_payload(source, scanner, start, judge)
    if dialect.messages and not isinstance(read, Payload):
        source.back_to(start + scanner.broken_at)
    if not end or not isinstance(read, Payload):
        return read
    yield from source.skip_run(SPACE_RUN)
    if (yield from source.literal(end)):
        return read
    return _broken(source, dialect, end, closes=False)


def read_headless_parameters(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read a name, one parameter or more, and the own closer (EXT-222)."""
    source = reading.source
    name = yield from short_name(source)
    if not name:
        return "wrong"
    yield from source.skip_run(SPACE_RUN)
    if not (yield from source.stands(block.dialect.name_begin)):
        return "wrong"
    read = yield from _read_parameters(reading, block, name)
    return read if isinstance(read, Payload) and read.closer else "wrong"


def _read_parameters(reading: Reading, block: Block, name: str) -> ParseOf[Payload | Broken]:
    """Read the parameters of a call, up to the own closer."""
    source, dialect, declared = reading.source, block.dialect, reading.caller.declared
    parameters: list[Parameter] = []
    needed: list[str] = []

    def judge(_text: str) -> Sequence[Found]:
        read: Sequence[Parameter] = parameters
        if dialect.elements:
            read = [*with_elements(name, parameters, dialect, declared)]
        written = name
        if not parameters and not dialect.name_in_first_line:
            written = dialect.name_in_header(block.header, is_alone=True)
        return with_note(read_parameters(written, read, dialect, declared))

    follows = yield from _behind_value(reading, dialect)
    try:
        if follows == "outer":  # ends what has a parameter alone (D46.5)
            yield from source.skip_run(SPACE_RUN)
            follows = None
        if follows is None and dialect.name_in_first_line:
            follows = yield from _behind_stray_end(reading, dialect, needed)
        while follows == "name":
            parameter, follows = yield from _read_parameter(reading, block, needed)
            parameters.append(parameter)
        if follows is None:
            raise _MissingError(dialect.name_begin)
    except _MissingError as missing:
        return _broken(source, dialect, str(missing), closes=not follows)
    closer = follows if isinstance(follows, Marker) else None
    return Payload(source.offset, source.offset, judge, needed, closer)


def _read_parameter(
    reading: Reading, block: Block, needed: list[str]
) -> ParseOf[tuple[Parameter, Follows]]:
    """Read a parameter behind the begin of its name, and what follows it; add to the repairs that
    are ``needed``.
    """
    source, dialect = reading.source, block.dialect
    name = yield from _name_before(source, dialect.name_end)
    if dialect.value_begin:
        yield from source.skip_run(SPACE_RUN)
    kind, end = yield from _value_begin(source, dialect)
    value_end = dialect.value_end
    if dialect.elements:
        value_end += name + dialect.name_end
    text, follows = yield from _read_value(reading, block, end, value_end, needed)
    try:
        name = clean_name(unquoted_name(name, is_alone=not text.strip(JSON_SPACE)))
    except RefusedError:
        name = ""
    return (name, text, kind), follows


def _read_value(
    reading: Reading, block: Block, end: str, value_end: str, needed: list[str]
) -> ParseOf[tuple[str, Follows]]:
    """Move behind what follows a value, whose text stands before the ``end`` and ``value_end``;
    return its text and that. Where the whole text ends in the value, its end is missing.

    Quoted blocks that are open are counted, so that nothing is read again from one of their begins.
    """
    source, start, depth = reading.source, reading.source.offset, 0
    own = -1  # where the first own closer stands, with which the value may end, too (D47.6)
    begun: set[str] = set()  # the names of the tags that begin in the value, as far as it is seen
    seen = start
    ends = ends_of_values(block.dialect, value_end)
    while found := (yield from reading.seek(ends)):
        last = found.start - len(end)
        is_end = found.kind == "closer" and last >= start and source.since(last) == end
        reading.move_behind(found)
        if found.kind == "misspelt":  # D47.5
            name = source.since(found.start)[len("</") : -len(">")]
            follows = None if depth or end else (yield from _behind_value(reading, block.dialect))
            if isinstance(follows, Marker):
                begun.update(_BEGUN.findall(source.since(seen, found.start)))
                seen = found.start
                if name not in begun:
                    needed.append("parameter_end")
                    return source.since(start, found.start), follows
            continue
        if found.kind == "token":  # a closer of the dialect, as `ends_of_values` gives it
            own = found.start if own < 0 and not (depth or end) else own
            continue
        if found.kind != "closer":  # an own opener can begin a quoted block
            depth += found.opens and (yield from _begins_quoted(reading, block))
            continue
        follows = yield from _behind_value(reading, block.dialect)
        if not depth and follows and is_end:
            return source.since(start, last), follows
        depth -= depth > 0 and isinstance(follows, Marker)  # with its own closer (D48.2)
    if own >= 0:
        source.back_to(own)
        text = source.since(start)
        # Where another tag began in it, nobody can tell which of them was left open.
        is_one = not any(tag in text for tag in ("</", "|>", block.dialect.name_begin, value_end))
        if is_one and (yield from reading.only_closers_follow()):
            needed.append("parameter_end")
            if block.dialect.trim == "none":  # of others the line end goes as EXT-122 says
                text = _LINE_END.sub("", text)
            return text, (yield from _behind_value(reading, block.dialect))
        source.at = len(source.text)
    raise _MissingError(value_end)


def _behind_stray_end(reading: Reading, dialect: Dialect, needed: list[str]) -> ParseOf[Follows]:
    """Move behind the end of a value where no value is, and the own closer (D46.6). Elsewhere stay,
    but behind that end where the text ends before or in the closer: there the error is.
    """
    source = reading.source
    start = source.offset
    if (yield from source.literal(dialect.value_end)):
        follows = yield from _behind_value(reading, dialect)
        if isinstance(follows, Marker):
            needed.append("parameter_end")
            return follows
        yield from source.skip_run(SPACE_RUN)
        if _broken(source, dialect, "", closes=True) == "cut":
            return None
        source.back_to(start)
    elif _broken(source, dialect, dialect.value_end, closes=False) == "cut":
        raise _MissingError(dialect.value_end)
    return None


def _begins_quoted(reading: Reading, block: Block) -> ParseOf[bool]:
    """Move over what stands behind an own opener in a value; tell whether a parameter begins."""
    source = reading.source
    space = yield from source.skip_run(SPACE_RUN)
    if not (yield from source.peek()):
        return False
    if not (yield from begins_parameters(reading, block, space, None)):
        return False
    if block.dialect.name_in_first_line:
        if (yield from _first_line(source)) is None:
            return False
        yield from source.skip_run(SPACE_RUN)
    return (yield from _begins_name(source, block.dialect))


def _begins_name(source: Source, dialect: Dialect) -> ParseOf[bool]:
    """Move behind the begin of a name, if one stands at the cursor, and tell so."""
    start = source.offset
    if not (yield from source.literal(dialect.name_begin)):
        return False
    if not dialect.elements or (yield from source.peek()) != "/":
        return True
    source.back_to(start)
    return False


def _behind_value(reading: Reading, dialect: Dialect) -> ParseOf[Follows]:
    """Move behind the begin of a name or the own closer, and the white space before it; where
    neither stands there, move over that white space alone, but not before the closer of a wrapper
    or a closer that the text cuts off.
    """
    source, start = reading.source, reading.source.offset
    yield from source.skip_run(SPACE_RUN)
    if (yield from _begins_name(source, dialect)):
        return "name"
    found = yield from reading.marker_here()
    if found and found.is_closer(dialect.key):
        reading.move_behind(found)
        return found
    follows: Follows = _cut_closer(reading, dialect)
    if found and reading.closes_wrapper(found):
        follows = "outer"
    if follows:
        source.back_to(start)
    return follows


def _cut_closer(reading: Reading, dialect: Dialect) -> Literal["outer", "cut"] | None:
    """Tell of what block the closer is that the text cuts off at the cursor, where no parameter can
    begin so (D46.9).
    """
    source = reading.source
    if not reading.cut_closer(source.offset):
        return None
    if dialect.name_begin.startswith(source.text[source.at :]):
        return None
    if _broken(source, dialect, "", closes=True) == "cut":
        return "cut"
    around = [reading.language.dialects[key] for key in reading.wrappers]
    return "outer" if "cut" in [_broken(source, one, "", closes=True) for one in around] else None


def _value_begin(source: Source, dialect: Dialect) -> ParseOf[tuple[Kind, str]]:
    """Move over the first of some texts that stands at the cursor; return its kind and its end."""
    missing = dialect.ways[0][0]
    for text, kind, end in dialect.ways:
        if (yield from source.literal(text)):
            return kind, end
        if text.startswith(source.text[source.at : source.at + len(text)]):
            missing = text
    if dialect.bare_value and source.text[source.at : source.at + 1] not in "<":
        return "typed", ""
    raise _MissingError(missing)


def _broken(source: Source, dialect: Dialect, asked: str, *, closes: bool) -> Broken:
    """Tell what a payload is where something else stands at the cursor than what is asked, or,
    where it ``closes``, than that and the own closer: it is cut off where the text ends inside one
    of these.
    """
    here = source.text[source.at : source.at + len(asked)]
    is_cut = source.at == len(source.text) or (here != asked and asked.startswith(here))
    if closes and not is_cut:
        closer = Markers(closers(dialect)).read_at(source.text, source.at, 0)
        is_cut = closer is not None and closer.kind == "cut_off"
    return "cut" if is_cut else "wrong"


def _first_line(source: Source) -> ParseOf[str | None]:
    """Move over a name, up to a line feed, ``<``, ``{`` or the end of the text; return None, and
    move over what a name may have, where it is too long.
    """
    start = source.offset
    name = yield from source.skip_run(_LINE_RUN)
    if len(name) <= HEADER_LENGTH:
        return name
    source.back_to(start + HEADER_LENGTH)
    return None


def _name_before(source: Source, end: str) -> ParseOf[str]:
    """Move over a name and its end, which does not stand in the quotation marks of the name; where
    something else stands, up to that.
    """
    name, mark = "", ""
    while mark or not (yield from source.literal(end)):
        character = yield from source.peek()
        longer = name + character
        if name == longer or len(name) == HEADER_LENGTH or not _NAME.fullmatch(longer):
            raise _MissingError(end)
        if mark:
            mark = mark if character != mark else ""
        elif character in "\"'" and not name.strip(JSON_SPACE) and end[0] not in "\"'":
            mark = character
        name = longer
        source.at += 1
    return name
