"""Which calls leaked into a text: what each format reads there, as one answer.

Formats share dialects, and one marker is of several dialects: `<tool_call>` is of five. So a text
is read in every way that could read something, and where blocks of several readings overlap they
are one place. What counts there is what the readings with the most calls say; nothing is counted
because a format that reads less refuses it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from commoncall.dialect_data import format_ids
from commoncall.extraction.dialects import (
    COMMON_DIALECTS,
    DEFAULT_DIALECTS,
    DIALECTS,
    Header,
    Tag,
)
from commoncall.extraction.extract import Options, extractor_for
from commoncall.extraction.formats import Format, load_format

DEFAULT: Final = "default"
"""What a text is read with where no format is given."""

FORMATS: Final = (DEFAULT, *format_ids())

_DEFAULT: Final = Format((*DEFAULT_DIALECTS, *COMMON_DIALECTS))

_PAYLOADS: Final = ("{", "[", "`", "~", "call:", "<")
"""How a payload begins that has no opener; of the signs two are those of a fence, and the last one
is that of a pair of tags that no dialect knows.
"""

CUT_OFF: Final = 7
"""A control token of which so many characters stand at the end of a text is one (EXT-204)."""

MOST_CUT_OFF: Final = 64
"""No sign is longer."""

REMEMBERED_CHARACTERS: Final = 2048
"""What is found in texts of so many characters is kept for a while."""


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


_Reading = tuple[str, list[_Block]]
"""A format, and what it reads."""

_Span = tuple[int, int]
"""Half-open offsets."""


def leaks(text: str, formats: Sequence[str] = FORMATS) -> list[Leak]:
    """Return the places of a text where calls were written, in their order.

    A place counts with the readings that read the most calls there; where that is none, with all
    that refuse it. What each format reads in a common dialect counts once, for the default, where
    that is asked. With one format this is what ``extract`` says of the text.

    Raises:
        ValueError: there is no such format.
    """
    for name in formats:
        _frame(name)  # raises where there is none
    folded = text.lower()
    begun = folded.lstrip()
    known = {name for sign, name in _signs() if sign in folded}
    known |= {name for sign, name in _bare_signs() if begun.startswith(sign)}
    for size in range(CUT_OFF, min(len(folded), MOST_CUT_OFF) + 1):
        known |= _cut_signs().get(folded[-size:], set())
    of_each = DEFAULT not in formats  # the common dialects are
    every = of_each and DEFAULT in known
    reading = tuple(name for name in formats if every or name in known)
    if not reading:
        return []  # as of most texts
    read = _read_once if len(text) <= REMEMBERED_CHARACTERS else _read
    return [*read(text, reading, of_each)]


def _read(text: str, formats: tuple[str, ...], of_each: bool) -> list[Leak]:
    return places(_unquoted((name, *_blocks(text, name, of_each=of_each)) for name in formats))


_read_once = lru_cache(maxsize=4096)(_read)
"""A log of histories holds a message again with each that follows it."""


@cache
def _signs() -> list[tuple[str, str]]:
    """Return each text, in lower case, with which a block can begin, and a format that knows it."""
    signs = {(sign, name) for name in FORMATS for sign in _begins(_frame(name))}
    return [(sign.lower(), name) for sign, name in signs]


@cache
def _cut_signs() -> dict[str, set[str]]:
    """Return each begin of such a text that the end of a text can cut off, with its formats."""
    found: dict[str, set[str]] = {}
    for sign, name in _signs():
        for size in range(CUT_OFF, min(len(sign), MOST_CUT_OFF + 1)):
            found.setdefault(sign[:size], set()).add(name)
    return found


def _begins(frame: Format) -> Iterator[str]:
    for dialect in (DIALECTS[id] for id in frame.dialects):
        for opener in (part.opener for part in dialect.with_section()):
            if opener is not None:
                yield _begin(opener)
        if dialect.may_lack_opener and dialect.closer:
            yield _begin(dialect.closer, "/")
        if dialect.messages:
            yield from dialect.messages.bare
        if dialect.stray_begin:
            yield dialect.stray_begin


@cache
def _bare_signs() -> list[tuple[str, str]]:
    """Return each text with which a message of nothing but calls can begin, and a format of such:
    how a payload begins, or what may stand before it.
    """
    frames = ((name, _frame(name)) for name in FORMATS)
    bare = [each for each in frames if any(DIALECTS[id].is_bare for id in each[1].dialects)]
    signs = {(sign, name) for name, _ in bare for sign in _PAYLOADS}
    for name, frame in bare:
        openers = (_begin(opener) for opener, _ in frame.reasoning)
        signs |= {(sign.lower(), name) for sign in (*openers, *frame.tokens)}
    return [*signs]


def _begin(marker: Tag | Header | str, slash: str = "") -> str:
    """Return what a marker begins with; blanks can stand before the end of a tag."""
    if isinstance(marker, Tag):
        return f"<{slash}{marker.name}"
    return marker.text if isinstance(marker, Header) else marker


def _frame(name: str) -> Format:
    return _DEFAULT if name == DEFAULT else load_format(name)


def _unquoted(read: Iterable[tuple[str, list[_Block], list[_Span]]]) -> list[_Reading]:
    """Return readings without what stands in a text that one of them leaves as marked."""
    read = list(read)
    quoted = sorted({span for _, _, marked in read for span in marked})
    starts = [start for start, _ in quoted]
    ends = [*accumulate((end for _, end in quoted), max, initial=0)]
    return [
        (name, [one for one in blocks if ends[bisect_right(starts, one.start)] < one.end])
        for name, blocks, _ in read
    ]


def places(readings: Sequence[_Reading]) -> list[Leak]:
    """Put readings of a text together."""
    blocks = sorted(
        ((one, name) for name, found in readings for one in found), key=lambda each: each[0][:2]
    )
    leaks: list[Leak] = []
    at = 0
    while at < len(blocks):
        first, end = at, blocks[at][0].end
        while at < len(blocks) and (at == first or blocks[at][0].start < end):
            end = max(end, blocks[at][0].end)
            at += 1
        by_format: dict[str, list[_Block]] = {}
        for block, name in blocks[first:at]:
            by_format.setdefault(name, []).append(block)
        leaks += _place(by_format)
    return leaks


def _place(by_format: dict[str, list[_Block]]) -> Iterator[Leak]:
    """Give the place of some blocks; none where they are only tags around calls."""

    def read(found: Iterable[_Block]) -> tuple[int, bool]:
        return sum(one.calls for one in found), any(one.is_call for one in found)

    most = max(map(read, by_format.values()))
    won = {name: found for name, found in by_format.items() if read(found) == most}
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
        formats=tuple(sorted(won)),
    )


def _blocks(text: str, format: str, *, of_each: bool = False) -> tuple[list[_Block], list[_Span]]:
    """Return what one format reads, and where it leaves marked text; what it reads in a common
    dialect that it does not list, only where that is ``of_each``.
    """
    others = set() if of_each else {*COMMON_DIALECTS}.difference(_frame(format).dialects)
    how: Options = {"effective": "any", "new_id": str}
    if format != DEFAULT:
        how["format"] = format
    found = []
    start = 0
    extractor = extractor_for(**how, events=False)
    extractor.feed(text)
    extractor.finish()
    for piece in extractor.result()["segments"]:
        end = start + len(piece["text"])
        if piece["kind"] in ("call", "rejected") and piece.get("dialect") not in others:
            codes = tuple(piece.get("codes", ()))
            is_call = piece["kind"] == "call"
            id = piece.get("dialect", "")
            found.append(_Block(start, end, is_call, id, piece.get("calls", 0), codes))
        start = end
    return found, extractor.marked()
