"""Which calls leaked into a text: what each format reads there, as one answer.

Formats share dialects, and one marker is of several dialects: `<tool_call>` is of five. So a text
is read in every way that could read something, and where blocks of several readings overlap they
are one place. What counts there is what the readings with the most calls say; nothing is counted
because a format that reads less refuses it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from commoncall.dialect_data import format_ids
from commoncall.extraction.dialects import DIALECTS, Dialect, Header, Tag
from commoncall.extraction.extract import Options, extractor_for
from commoncall.extraction.formats import NO_FORMAT, Format, load_format
from commoncall.extraction.markers import FIRST_NAME
from commoncall.json_text import SPACE

DEFAULT: Final = "default"
"""What a text is read with where no format is given."""

FORMATS: Final = (DEFAULT, *format_ids())

REMEMBERED_CHARACTERS: Final = 2048
"""What is found in texts of so many characters is kept for a while."""

_BARE: Final = {
    "[": "a bare array",
    "{": "a bare object",
    "`": "a bare fence",
    "~": "a bare fence",
    "c": "a bare name",
}
_PAYLOAD: Final = re.compile(
    SPACE + r"*(\{|\[(?=[^\[\](){}\"']*[\[({])|(?:`{3,}|~{3,})(?=(?:json)?\s*\{)|call:)"
)
"""How a payload of nothing but calls begins: an object, or an array that begins with a call, which
has a bracket before anything ends and any string begins, a fence around an object, or ``call:``.
"""

_OPENED: Final = "an opened header"
"""What stands in a text beside the fixed texts of dialects."""


class Leak(NamedTuple):
    """A place of a text where calls were written.

    Attributes:
        start, end: half-open offsets.
        calls: how many are read.
        codes: why something there is no call, sorted.
        dialects: who writes so, each with the calls that are its own.
        formats: with which formats it is read so.
    """

    start: int
    end: int
    calls: int
    codes: tuple[str, ...]
    dialects: dict[str, int]
    formats: tuple[str, ...]


class _Block(NamedTuple):
    start: int
    end: int
    is_call: bool
    dialect: str
    calls: int
    codes: tuple[str, ...]


_Reading = tuple[tuple[str, ...], list[_Block]]
"""The formats that read a text alike, and what they read."""

_Span = tuple[int, int]
"""Half-open offsets."""


def leaks(text: str, formats: Sequence[str] = FORMATS) -> list[Leak]:
    """Return the places of a text where calls were written, in their order.

    A place counts with the readings that read the most calls there; where that is none, with all
    that refuse it. With one format this is what ``extract`` says of the text.

    Raises:
        ValueError: there is no such format.
    """
    opens = any(begin.search(text) for begin in _opening()) or _openings().match(text)
    if not opens and not _bare(text):
        return []  # as of most texts
    read = _read_once if len(text) <= REMEMBERED_CHARACTERS else _read
    return [*read(text, tuple(formats))]


@cache
def _opening() -> list[re.Pattern[str]]:
    """Return how openers begin, and the closers of blocks that can lack theirs; what has one first
    character is found fast.
    """
    texts = {texts[0] for one in DIALECTS.values() for texts in _openers(one)}
    texts |= {_closer(one) for one in DIALECTS.values() if one.may_lack_opener}
    begins = [(begin[0], begin[1:5]) for begin in texts]
    found = []
    for first in sorted({first for first, _ in begins}):
        rests = {rest for one, rest in begins if one == first}
        nexts = re.escape("".join({rest[0] for rest in rests}))
        ways = "|".join(map(re.escape, sorted(rests)))
        found.append(re.compile(rf"{re.escape(first)}(?i:(?=[{nexts}])(?:{ways}))"))
    return found


def _read(text: str, formats: tuple[str, ...]) -> list[Leak]:
    groups = _groups(formats, _standing(text))
    return places(_unquoted((names, *_blocks(text, names[0])) for names in groups))


def _unquoted(read: Iterable[tuple[tuple[str, ...], list[_Block], list[_Span]]]) -> list[_Reading]:
    """Return readings without what stands in a text that one of them leaves as marked."""
    read = list(read)
    quoted = sorted({span for _, _, marked in read for span in marked})
    starts = [start for start, _ in quoted]
    ends = [*accumulate((end for _, end in quoted), max, initial=0)]
    return [
        (names, [one for one in blocks if ends[bisect_right(starts, one.start)] < one.end])
        for names, blocks, _ in read
    ]


_read_once = lru_cache(maxsize=4096)(_read)
"""A log of histories holds a message again with each that follows it."""


def places(readings: Sequence[_Reading]) -> list[Leak]:
    """Put readings of a text together."""
    blocks = sorted(
        ((one, names) for names, found in readings for one in found), key=lambda each: each[0][:2]
    )
    leaks: list[Leak] = []
    at = 0
    while at < len(blocks):
        first, end = at, blocks[at][0].end
        while at < len(blocks) and (at == first or blocks[at][0].start < end):
            end = max(end, blocks[at][0].end)
            at += 1
        by_reading: dict[tuple[str, ...], list[_Block]] = {}
        for block, names in blocks[first:at]:
            by_reading.setdefault(names, []).append(block)
        leaks += _place(by_reading)
    return leaks


def _place(by_reading: dict[tuple[str, ...], list[_Block]]) -> Iterator[Leak]:
    """Give the place of some blocks; none where they are only tags around calls."""

    def read(found: Iterable[_Block]) -> tuple[int, bool]:
        return sum(one.calls for one in found), any(one.is_call for one in found)

    most = max(map(read, by_reading.values()))
    won = {names: found for names, found in by_reading.items() if read(found) == most}
    blocks = [one for found in won.values() for one in found]
    codes = sorted({code for one in blocks for code in one.codes})
    if not most[0] and not codes:
        return
    dialects: dict[str, int] = {}
    for found in won.values():
        for id in {one.dialect for one in found if one.calls or one.codes}:
            own = sum(one.calls for one in found if one.dialect == id)
            dialects[id] = max(dialects.get(id, 0), own)
    yield Leak(
        start=min(one.start for one in blocks),
        end=max(one.end for one in blocks),
        calls=most[0],
        codes=tuple(codes),
        dialects=dict(sorted(dialects.items())),
        formats=tuple(sorted(name for names in won for name in names)),
    )


def _blocks(text: str, format: str) -> tuple[list[_Block], list[_Span]]:
    """Return what one format reads, and where it leaves marked text."""
    how: Options = {"observe": True, "new_id": str}
    if format != DEFAULT:
        how["format"] = format
    found = []
    start = 0
    extractor = extractor_for(**how, events=False)
    extractor.feed(text)
    extractor.finish()
    for piece in extractor.result()["segments"]:
        end = start + len(piece["text"])
        if piece["kind"] in ("call", "rejected"):
            codes = tuple(piece.get("codes", ()))
            is_call = piece["kind"] == "call"
            id = piece.get("dialect", "")
            found.append(_Block(start, end, is_call, id, piece.get("calls", 0), codes))
        start = end
    return found, extractor.marked()


# Which formats can read something, and which of them alike.


def _standing(text: str) -> frozenset[str]:
    """Return which fixed texts of formats stand in a text, in any case, and what else does."""
    folded = text.lower()
    found = {sign for sign in _signs() if sign in folded}
    # Of `<tool_calls>` only the begin is that of another tag.
    found -= {sign for sign in found & _tags().keys() if not _tags()[sign].search(folded)}
    found |= {_BARE[bracket] for bracket in _bare(text)}
    if _openings().match(text):
        found.add(_OPENED)
    return frozenset(found)


@lru_cache(maxsize=1024)
def _groups(formats: tuple[str, ...], standing: frozenset[str]) -> list[tuple[str, ...]]:
    """Return the formats that can read a call where these texts stand, those together that read
    alike: what differs between them stands in no such text.
    """
    alike: dict[object, list[str]] = {}
    for id in formats:
        frame = _frame(id)
        if any(_can_open(DIALECTS[one], standing) for one in frame.dialects):
            alike.setdefault(_visible(frame, standing), []).append(id)
    return [tuple(ids) for ids in alike.values()]


def _can_open(dialect: Dialect, standing: frozenset[str]) -> bool:
    if dialect.opener is None:
        return _BARE[_first(dialect)] in standing
    if dialect.messages and _OPENED in standing:
        return True
    if dialect.may_lack_opener and _closer(dialect).lower() in standing:
        return True
    return any(standing.issuperset(map(str.lower, texts)) for texts in _openers(dialect))


def _visible(frame: Format, standing: frozenset[str]) -> object:
    """Return what of a format stands in a text; order counts."""
    dialects = (DIALECTS[id] for id in frame.dialects)
    return (
        tuple(
            one.id
            for one in dialects
            if _can_open(one, standing) or not standing.isdisjoint(_marks(one))
        ),
        tuple(pair for pair in frame.reasoning if _begin(pair[0]).lower() in standing),
        tuple(token for token in frame.tokens if token.lower() in standing),
        frame.has_control,
    )


def _frame(id: str) -> Format:
    return NO_FORMAT if id == DEFAULT else load_format(id)


@cache
def _signs() -> tuple[str, ...]:
    """Return all fixed texts of all formats, in lower case."""
    signs = {text for one in DIALECTS.values() for text in _texts(one)}
    for frame in map(_frame, FORMATS):
        signs |= {_begin(opener).lower() for opener, _ in frame.reasoning}
        signs |= {token.lower() for token in frame.tokens}
    return tuple(sorted(signs))


@cache
def _tags() -> dict[str, re.Pattern[str]]:
    """Return how each of these texts goes on that is the begin of a tag, and may be cut off."""
    parts = (part for one in DIALECTS.values() for part in one.with_section())
    markers = {marker for part in parts for marker in (part.opener, part.closer)}
    markers |= {marker for id in FORMATS for pair in _frame(id).reasoning for marker in pair}
    tags = {marker.name for marker in markers if isinstance(marker, Tag)}
    signs = (f"<{slash}{name}".lower() for name in tags for slash in ("", "/"))
    return {sign: re.compile(re.escape(sign) + r"\s*(?:>|$)") for sign in signs}


@cache
def _openings() -> re.Pattern[str]:
    """Return what a text begins with whose first header the prompt has begun; a name can stand
    before that.
    """
    messages = (one.messages for one in DIALECTS.values())
    begins = sorted({re.escape(begin) for each in messages if each for begin in each.opened})
    return re.compile(rf"(?:{FIRST_NAME}?)??(?:{'|'.join(begins)})")


def _bare(text: str) -> str:
    """Return the brackets with which a payload can begin that is the whole of a text, or of what is
    behind reasoning and tokens at its begin; the text has to end like one, or in a token, where no
    words may follow.
    """
    if "{" not in text and "(" not in text:
        return ""  # a bare message is calls, and these have one or the other
    lasts, before, behind = _around_bare()
    first = _PAYLOAD.match(text)
    begins = {first[1][0]} if first else set()
    if not first and before.match(text):
        begins = {one[0] for one in behind.findall(text)}
    if text.rstrip()[-1:] not in lasts:
        begins &= _before_words()
    return "".join(begins)


@cache
def _before_words() -> frozenset[str]:
    """Return with what a payload begins behind which a text may stand."""
    return frozenset(_first(one) for one in DIALECTS.values() if one.words_behind)


@cache
def _around_bare() -> tuple[frozenset[str], re.Pattern[str], re.Pattern[str]]:
    """Return what the text of a bare message can end with, what can stand before its payload, and
    how a payload begins behind that.
    """
    lasts, begins, closed = {*"]})`~"}, set(), set()
    for frame in map(_frame, FORMATS):
        if any(DIALECTS[id].opener is None for id in frame.dialects):
            begins |= {_begin(opener) for opener, _ in frame.reasoning} | {*frame.tokens}
            closers = (closer for _, closer in frame.reasoning)
            closed |= {">" if isinstance(one, Tag) else one[-1] for one in closers}
            lasts |= {token[-1] for token in frame.tokens}
    before = re.compile(rf"\s*(?:{'|'.join(map(re.escape, sorted(begins)))})", re.IGNORECASE)
    ends = re.escape("".join(sorted(closed | lasts)))
    return frozenset(lasts), before, re.compile(rf"[{ends}]{_PAYLOAD.pattern}")


def _first(dialect: Dialect) -> str:
    """Return how the payload of a dialect without an opener begins."""
    if dialect.is_fenced:
        return "`"
    if dialect.scanner == "quoted_object":
        return "c"
    return "{" if dialect.scanner in ("json_values", "json_object") else "["


def _openers(dialect: Dialect) -> list[tuple[str, ...]]:
    """Return, for each opener of a dialect and its section, the texts that have to stand."""
    openers = [part.opener for part in dialect.with_section() if part.opener is not None]
    # The end of a text can cut off a header of a message, and some need no end.
    return [
        ((one.text,) if dialect.messages or one.bare else (one.text, one.end))
        if isinstance(one, Header)
        else (_begin(one),)
        for one in openers
    ]


def _closer(dialect: Dialect) -> str:
    """Return what its closer begins with; empty where it has none."""
    return _begin(dialect.closer, "/") if dialect.closer else ""


def _texts(dialect: Dialect) -> set[str]:
    """Return the fixed texts around the payloads of a dialect, in lower case."""
    return _marks(dialect) | {text.lower() for each in _openers(dialect) for text in each}


def _marks(dialect: Dialect) -> set[str]:
    """Return those of them with which a marker begins; the end of a header alone is none."""
    texts = {texts[0] for texts in _openers(dialect)}
    texts |= {_begin(part.closer, "/") for part in dialect.with_section() if part.closer}
    texts |= set(dialect.messages.ends if dialect.messages else ())
    return {text.lower() for text in texts}


def _begin(marker: Tag | str, slash: str = "") -> str:
    """Return what a marker begins with; blanks can stand before the end of a tag."""
    return f"<{slash}{marker.name}" if isinstance(marker, Tag) else marker
