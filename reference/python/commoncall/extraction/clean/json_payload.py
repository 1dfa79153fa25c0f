"""Clean payloads of JSON: one value, read by the host's decoder."""

import re
from collections.abc import Mapping

from commoncall.call_object import judge
from commoncall.extraction.call_value import Call, Refused, call_of, new_call, with_note
from commoncall.extraction.clean import LONG, Read, Reader
from commoncall.extraction.code import FENCE_LENGTH
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.reading import Reading
from commoncall.json_object import read_begin
from commoncall.json_text import JSON_SPACE, SPACE_RUN, Scan, strict_scanner_of

_END = re.compile(r"[ \t\n\r]*+\}")
_NEXT = re.compile(r"[ \t\n\r]*+(?:,|(\]))[ \t\n\r]*+")
_FENCE = re.compile(rf"(`{{{FENCE_LENGTH},}}+)(?:json)?[ \t\n\r]*+")
_OF_SCHEMAS = frozenset(("type", "properties"))  # which a tool declares (EXT-073)
_BEGINS: Mapping[str, str | tuple[str, str]] = {
    "json_array": "[",
    "json_object": "{",
    "json_values": ("{", "["),
}


def clean_values(dialect: Dialect) -> Reader:
    """Return what reads an object or array of call values."""
    begins, usual_head, form = _BEGINS[dialect.scanner], _usual_head(dialect), dialect.form
    may_declare = form.arguments[:1] == ("parameters",)

    def read_usual(text: str, at: int, scan: Scan) -> Read | None:
        """Read a usual object, or an array of such."""
        is_list = text[at] == "["
        head = usual_head.match(text, at + is_list)
        calls: list[Call] = []
        while head:
            start = head.end()
            arguments, end = scan(text, start)
            behind = _END.match(text, end)
            if behind is None or (may_declare and not _OF_SCHEMAS.isdisjoint(arguments)):
                return None
            calls.append(new_call(head[1], arguments, text[start:end]))
            following = _NEXT.match(text, behind.end()) if is_list else None
            if following is None:
                return None if is_list else (calls, behind.end())
            if following[1]:
                return calls, following.end(1)
            head = usual_head.match(text, following.end())
        return None

    def read_values(source: str, start: int, stop: int, scan: Scan) -> Read:
        """Read an object or array of call values, whatever members they have."""
        text = source[start:stop]
        values, end = read_begin(text, scan)
        no_call = Refused("not_a_call")
        read = [no_call if one is None else call_of(judge(text, one, form)) for one in values]
        return [item for one in read for item in with_note(one)], start + end

    def read(text: str, begin: int, stop: int, _name: str, _reading: Reading) -> Read | None:
        at = SPACE_RUN.match(text, begin).end()  # type: ignore[union-attr]
        payload = text[at:stop]
        if not payload.startswith(begins) or not (scan := strict_scanner_of(payload)):
            return None
        # An error of the decoder counts the lines before it, and a long payload is not held twice.
        source, start = (payload, 0) if len(payload) < LONG else (text, at)
        del payload
        try:
            usual = read_usual(source, start, scan)
            found, end = usual or read_values(source, start, start + stop - at, scan)
        except (ValueError, StopIteration, RecursionError):  # behind it any depth can stand
            return None
        end += at - start
        if end != stop and (end > stop or (dialect.closer and text[end:stop].strip(JSON_SPACE))):
            return None
        return found, end

    return read


def _usual_head(dialect: Dialect) -> re.Pattern[str]:
    """Return the begin of a usual object, which holds a name that can be sent and then the
    arguments, and no other member.
    """
    form = dialect.form
    names = [r'"([A-Za-z0-9_-]{1,64})"']
    if not form.keyed:
        name, arguments = (re.escape(each[0]) for each in (form.names, form.arguments))
        names = [f'"{name}"', ":", *names, ",", f'"{arguments}"']
    return re.compile(r"[ \t\n\r]*+".join(["", r"\{", *names, ":", r"(?=\{)"]))


def clean_arguments(dialect: Dialect) -> Reader:
    """Return what reads the arguments of a call whose name stands in the opener."""

    def read(text: str, begin: int, stop: int, name: str, _reading: Reading) -> Read | None:
        at = SPACE_RUN.match(text, begin).end()  # type: ignore[union-attr]
        fence = _FENCE.match(text, at) if dialect.is_fenced else None
        if fence:
            at = fence.end()
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
        return with_note(new_call(name, arguments, source[:end])), at + end

    return read
