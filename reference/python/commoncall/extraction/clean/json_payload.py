"""Clean payloads of JSON: one value, read by the host's decoder."""

import re
from collections.abc import Callable, Mapping

from commoncall.call_object import judge
from commoncall.extraction.call_value import Call, Refused, call_of, new_call, with_note
from commoncall.extraction.clean import LONG, Read, Reader
from commoncall.extraction.code import FENCE_LENGTH
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.reading import Reading
from commoncall.json_object import read_begin
from commoncall.json_text import JSON_SPACE, SPACE_RUN, Scan, strict_scanner_of

_NEXT = re.compile(r"[ \t\n\r]*+(?:,|(\]))[ \t\n\r]*+")
_FENCE = re.compile(rf"(`{{{FENCE_LENGTH},}}+)(?:json)?[ \t\n\r]*+")
_TOOL = frozenset(("type", "properties"))  # of the schema that one declares (EXT-073)
_BEGINS: Mapping[str, str] = {"json_array": r"\[", "json_object": r"\{", "json_values": r"[\[{]"}


def clean_values(dialect: Dialect) -> Reader:
    """Return what reads an object or array of call values."""
    begins, form, read_usual = _BEGINS[dialect.scanner], dialect.form, _usual_reader(dialect)

    def read_values(source: str, at: int, stop: int, scan: Scan) -> Read:
        """Read an object or array of call values, whatever members they have."""
        start = SPACE_RUN.match(source, at).end()  # type: ignore[union-attr]
        text = source[start:stop]
        if not re.match(begins, text):
            raise ValueError
        values, end = read_begin(text, scan)
        no_call = Refused("not_a_call")
        read = [no_call if one is None else call_of(judge(text, one, form)) for one in values]
        return [item for one in read for item in with_note(one)], start + end

    def read(text: str, begin: int, stop: int, _name: str, _reading: Reading) -> Read | None:
        payload = text[begin:stop]
        scan = strict_scanner_of(payload)
        if scan is None:
            return None
        # An error of the decoder counts the lines before it, and a long payload is not held twice.
        source, at = (payload, 0) if len(payload) < LONG else (text, begin)
        del payload
        try:
            usual = read_usual(source, at, scan)
            found, end = usual or read_values(source, at, at + stop - begin, scan)
        except (ValueError, StopIteration, IndexError, RecursionError):
            return None  # the text can end in it, and behind it any depth can stand
        end += begin - at
        if end != stop and (end > stop or (dialect.closer and text[end:stop].strip(JSON_SPACE))):
            return None
        return found, end

    return read


def _usual_reader(dialect: Dialect) -> Callable[[str, int, Scan], Read | None]:
    """Return what reads a usual object, or an array of such: it holds a name that can be sent and
    then the arguments, and no other member.
    """
    names, form = [r'"([A-Za-z0-9_-]{1,64})"'], dialect.form
    may_declare = form.arguments[:1] == ("parameters",)
    if not form.keyed:
        name, arguments = (re.escape(each[0]) for each in (form.names, form.arguments))
        names = [f'"{name}"', ":", *names, ",", f'"{arguments}"']
    first, other = (
        re.compile(r"[ \t\n\r]*+".join(["", rf"(?={begin})(\[)?+", r"\{", *names, ":", r"(?=\{)"]))
        for begin in (_BEGINS[dialect.scanner], r"\{")
    )

    def read_usual(text: str, at: int, scan: Scan) -> Read | None:
        head = first.match(text, at)
        is_list = head and head[1]
        calls: list[Call] = []
        while head:
            start = head.end()
            arguments, end = scan(text, start)
            calls.append(new_call(head[2], arguments, text[start:end]))
            if text[end] != "}":
                end = SPACE_RUN.match(text, end).end()  # type: ignore[union-attr]
            if text[end] != "}" or (may_declare and not _TOOL.isdisjoint(arguments)):
                return None
            if not is_list:
                return calls, end + 1
            following = _NEXT.match(text, end + 1)
            if following is None or following[1]:
                return following and (calls, following.end(1))
            head = other.match(text, following.end())
        return None

    return read_usual


def clean_arguments(dialect: Dialect) -> Reader:
    """Return what reads the arguments of a call whose name stands in the opener."""

    def read(text: str, begin: int, stop: int, name: str, _reading: Reading) -> Read | None:
        fence, at = None, begin
        if not text.startswith("{", at):
            at = SPACE_RUN.match(text, at).end()  # type: ignore[union-attr]
            fence = _FENCE.match(text, at) if dialect.is_fenced else None
            at = fence.end() if fence else at
        source = text[at:stop]
        if not source.startswith("{") or not (scan := strict_scanner_of(source)):
            return None
        try:
            arguments, end = scan(source, 0)
        except (ValueError, StopIteration):
            return None
        if dialect.closer:
            behind = source[end:].strip(JSON_SPACE)
            if (len(behind) < len(fence[1]) or behind.strip("`")) if fence else behind:
                return None
        return (new_call(name, arguments, source[:end]),), at + end

    return read
