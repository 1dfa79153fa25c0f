"""Markers of the dialects, as the definition says them, for judging what a stream may hold back.

Written from the text and the descriptors. It shares no code with the reference, which it judges.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from commoncall.dialect_data import DESCRIPTORS, format_ids, read_format
from commoncall.json_text import BLANKS, JSON_SPACE

REASONING: Final = [{"open": {"tag": "think"}, "close": {"tag": "think"}}]
LONGEST_HEADER: Final = 128
LONGEST_WAIT: Final = 300

_KNOWN: Final = {each["id"]: each for each in DESCRIPTORS}
_PARTNERS: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」"}
INNER_BLANKS: Final = " \u00a0\u202f"
_NAME: Final = re.compile("^[A-Za-z0-9_./:-]{1,64}+")
_LINE_BLANKS = f"[{re.escape(BLANKS.replace(chr(10), ''))}]*+"


class Marker(NamedTuple):
    """A marker from ``start`` to ``end``, and whether it is an opener."""

    start: int
    end: int
    opens: bool


class Markers:
    """The markers that are active for an input of extraction.

    Attributes:
        may_be_bare: a dialect without markers is active, too (definition "bare message").
        are_control: they are control tokens (definition "control token").
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take the dialects or the format of an input, all of them known here."""
        frame = read_format(given["format"]) if "format" in given else {}
        active = list(_active(given, frame))
        self.may_be_bare = any(each["opener"] is None for each in active)
        self._tags: list[str] = []
        self._texts: list[str] = [*frame.get("tokens", ())]
        self.are_control = bool(frame.get("control"))
        for pair in frame.get("reasoning", REASONING):
            self._add(pair["open"], "<")
            if self.are_control:
                self._add(pair["close"], "</")
        self._headers: list[Mapping[str, Any]] = []
        opening: list[str] = []
        for marker, opens in _written(active):
            if "end" in marker:
                self._headers.append(marker)
                continue
            pattern = self._add(marker, "<" if opens else "</")
            opening += [pattern] if opens else []
        self._opened: list[Mapping[str, Any]] = []
        self._calls: list[str] = []
        self._take_messages([*active, *(_KNOWN[each] for each in frame.get("dialects", ()))])
        others = [*map(_tag, self._tags), *map(re.escape, self._texts)]
        ways = [f"(?P<opener>{'|'.join(opening)})"] if opening else []
        ways += [f"(?P<h{n}>{_header(each)})" for n, each in enumerate(self._headers)]
        self._pattern = re.compile("|".join([*ways, *others]))

    def _add(self, marker: Mapping[str, Any], begin: str) -> str:
        """Take a marker; return the pattern that finds it."""
        if "tag" in marker:
            self._tags.append(begin + marker["tag"])
            return _tag(self._tags[-1])
        self._texts.append(marker["text"])
        return re.escape(str(marker["text"]))

    def _take_messages(self, descriptors: Iterable[Mapping[str, Any]]) -> None:
        """Take headers and ends of messages, which count without a dialect, too (EXT-177)."""
        openers = (each["opener"] for each in descriptors if each["opener"])
        opener = next((each for each in openers if "messages" in each), None)
        if opener is None:
            return
        messages = opener["messages"]
        self._texts += messages["ends"]
        self._headers += [] if opener in self._headers else [opener]
        begins = [messages.get("channel"), messages.get("recipient")]
        begins += [f" {messages['recipient']}"] if "recipient" in messages else []
        self._opened = [{**opener, "text": begin} for begin in begins if begin]
        calls = (name for name, kind in messages["kinds"].items() if kind == "call")
        channel = messages.get("channel")
        self._calls = [channel + name + opener["end"] for name in calls] if channel else []

    def find(self, text: str, at: int) -> Marker | None:
        """Return the next marker that stands at a place or behind it."""
        return self._read(self._pattern.search, text, at)

    def at(self, text: str, at: int) -> Marker | None:
        """Return the marker that stands at a place."""
        return self._read(self._pattern.match, text, at)

    def _read(
        self, look: Callable[[str, int], re.Match[str] | None], text: str, at: int
    ) -> Marker | None:
        while match := look(text, at):
            name = match.lastgroup or ""
            header = self._headers[int(name[1:])] if name[:1] == "h" else None
            if header is None or _opens(match[0], header):
                return Marker(match.start(), match.end(), name != "")
            at = match.start() + 1
            look = self._pattern.search
        return None

    def may_become(self, begin: str, *, is_first: bool) -> bool:
        """Tell whether a text may wait as the begin of a marker, with more to come (EXT-115)."""
        headers = [*self._headers, *self._opened] if is_first else self._headers
        behind = _NAME.sub("", begin, count=1)
        is_named = is_first and behind != begin
        return (
            (is_named and any(call.startswith(behind) and call != behind for call in self._calls))
            or any(_begins_tag(begin, tag) for tag in self._tags)
            or any(text.startswith(begin) and text != begin for text in self._texts)
            or any(_begins_header(begin, header) for header in headers)
        )


def are_known(given: Mapping[str, Any]) -> bool:
    """Tell whether the dialects or the format of an input are known here; a newer suite can have
    others.
    """
    if "format" in given:
        return given["format"] in format_ids()
    return set(given.get("dialects", ())) <= _KNOWN.keys()


def _active(given: Mapping[str, Any], frame: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return the descriptors of the active dialects (EXT-003; definition "dialect")."""
    if given.get("effective") == []:
        return []
    default = [name for name, each in _KNOWN.items() if each["default"]]
    return [_KNOWN[name] for name in frame.get("dialects", given.get("dialects", default))]


def _written(descriptors: Iterable[Mapping[str, Any]]) -> Iterable[tuple[Mapping[str, Any], bool]]:
    """Return how the markers are written, and which are openers (definition "descriptor")."""
    for each in descriptors:
        if each["opener"] is None:
            continue
        for part in (each, each.get("section")):
            if part:
                yield part["opener"], True
                if part["closer"]:
                    yield part["closer"], False


def _tag(begin: str) -> str:
    return rf"(?ai:{begin}){_LINE_BLANKS}(?:\n{_LINE_BLANKS})?>"


def _header(opener: Mapping[str, Any]) -> str:
    text, end = re.escape(opener["text"]), re.escape(opener["end"])
    return f"{text}(?>(?:{_inner(opener)}){{0,{LONGEST_HEADER}}}){end}"


def _inner(opener: Mapping[str, Any]) -> str:
    """Return what a header is made of: characters and tokens (definition "message header")."""
    id = opener.get("name", {}).get("id")
    tokens = map(re.escape, [id] if id else opener.get("tokens", ()))
    return "|".join([rf"[^\n<{re.escape(opener['end'][0])}]", *tokens])


def _opens(marker: str, opener: Mapping[str, Any]) -> bool:
    """Tell whether what is written like an opener with a header is one."""
    header = marker[len(opener["text"]) : -len(opener["end"])]
    return len(header) <= LONGEST_HEADER and _is_of_opener(header, opener)


def _is_of_opener(header: str, opener: Mapping[str, Any]) -> bool:
    if "select" not in opener:
        return True
    behind = opener["select"]["behind"]
    channel = header.rpartition(behind)[2].partition("<|")[0].strip(BLANKS)
    return (behind in header and channel == opener["select"]["is"]) or any(
        sign in header for sign in opener["reserved"]["signs"]
    )


def _begins_tag(begin: str, tag: str) -> bool:
    name = begin.rstrip(BLANKS)
    folded = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)
    if name == begin:
        return tag.startswith(folded)
    return folded == tag and begin.count("\n", len(name)) <= 1


def _begins_header(begin: str, opener: Mapping[str, Any]) -> bool:
    text: str = opener["text"]
    is_open = begin.startswith(text) and opener["end"] not in begin[len(text) :]
    return text.startswith(begin) or (is_open and len(begin) <= LONGEST_WAIT)


def partner_behind(text: str, at: int) -> str:
    """Return the partner of the opening mark directly before a place, nothing where none stands
    there (definition "marked text").
    """
    if text[at - 1 : at] and text[at - 1] in INNER_BLANKS and text[max(at - 2, 0) : at - 1] == "«":
        return "»"
    return _PARTNERS.get(text[at - 1 : at], "")


def behind_space(text: str, at: int) -> int:
    """Return the place behind the JSON white space at a place."""
    while at < len(text) and text[at] in JSON_SPACE:
        at += 1
    return at
