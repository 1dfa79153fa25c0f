"""Reading a marker at the cursor (definitions "marker", "message header")."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass
from typing import Literal

from commoncall.extraction import dialects
from commoncall.extraction.source import Source
from commoncall.json_text import BLANKS

TagKind = Literal["opener", "closer", "reasoning", "reserved", "foreign", "none"]

_BLANK_RUN = re.compile(f"[{re.escape(BLANKS)}]*")
_UP_TO_TAG = re.compile("[^<]*")
_HEADER_TOKENS = (*dialects.HEADER_TOKENS, dialects.HEADER_END)


@dataclass(frozen=True, slots=True)
class Tag:
    """What a reader found: a marker of a dialect, or, of the kind ``none``, characters that are
    no marker.

    ``raw`` are its characters in the text, ``start`` is their offset.
    """

    kind: TagKind
    name: str
    raw: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.raw)

    @property
    def opens(self) -> bool:
        """Whether a block begins here."""
        return self.kind in ("opener", "reserved")

    def is_closer(self, dialect: str) -> bool:
        """Tell whether it is the closer of this dialect."""
        return self.kind == "closer" and self.name == dialect


class MarkerReader:
    """Reads markers.

    Args:
        tags: what stands before the blanks and the ``>`` of a tag, in lower case.
        tokens: markers that are one fixed text.
    """

    def __init__(
        self,
        tags: Mapping[str, tuple[TagKind, str]],
        tokens: Mapping[str, tuple[TagKind, str]],
    ) -> None:
        self._tags = tags
        self._tokens = tokens
        self._heads = _heads([*tags, *tokens])
        self._heads_with_foreign = self._heads | _heads(dialects.FOREIGN_OPENINGS)

    def read(self, source: Source, *, foreign: bool = False) -> Generator[None, None, Tag]:
        """Read from a ``<`` on (EXT-010, EXT-011).

        With ``foreign``, the openings of other dialects' payloads are markers of the kind
        ``foreign``.
        """
        start = source.offset
        heads = self._heads_with_foreign if foreign else self._heads
        raw = source.take(1)
        while (character := (yield from source.peek())) and ascii_lower(raw + character) in heads:
            raw += source.take(1)
            if foreign and ascii_lower(raw) in dialects.FOREIGN_OPENINGS:
                return Tag("foreign", "", raw, start)
            if raw in self._tokens:
                break  # no token begins another: waiting for more would hold back a call
        if raw in self._tokens:
            kind, name = self._tokens[raw]
            if raw == dialects.MESSAGE_START:
                header, ended = yield from _header(source)
                raw += header
                kind = _kind_of_message(header) if ended else "none"
            return Tag(kind, name, raw, start)
        tag = self._tags.get(ascii_lower(raw))
        if tag is None:
            return Tag("none", "", raw, start)
        raw += yield from source.take_run(_BLANK_RUN)
        if (yield from source.peek()) != ">":
            return Tag("none", "", raw, start)
        return Tag(*tag, raw + source.take(1), start)

    def count_openers(self, dialect: str, text: str) -> int:
        """Return how many openers of a dialect stand in a text."""
        source = Source()
        source.feed(text)
        source.end()
        return _finished(self._count(dialect, source))

    def _count(self, dialect: str, source: Source) -> Generator[None, None, int]:
        count = 0
        while character := (yield from source.peek()):
            if character != "<":
                yield from source.take_run(_UP_TO_TAG)
                continue
            tag = yield from self.read(source)
            count += tag.kind == "opener" and tag.name == dialect
        return count


def reader_of(active: Collection[str]) -> MarkerReader:
    """Return the reader of these dialects' markers, and of the reasoning opener (EXT-007)."""
    tags: dict[str, tuple[TagKind, str]] = {
        f"<{dialects.REASONING}": ("reasoning", dialects.REASONING)
    }
    tokens: dict[str, tuple[TagKind, str]] = {}
    for name in active:
        if name == dialects.HARMONY_PSEUDO:
            tokens[dialects.MESSAGE_START] = ("opener", name)
            tokens[dialects.MESSAGE_END] = ("closer", name)
        else:
            tags[f"<{name}"] = ("opener", name)
            tags[f"</{name}"] = ("closer", name)
    return MarkerReader(tags, tokens)


def ascii_lower(text: str) -> str:
    """Fold A to Z and nothing else: the Kelvin sign is no k."""
    return text.lower() if text.isascii() else text


def _header(source: Source) -> Generator[None, None, tuple[str, bool]]:
    """Read the header of a message; return it with its end, or what was read of it and False."""
    header = ""
    while len(header) <= dialects.HEADER_LENGTH:
        character = yield from source.peek()
        if character in ("", "\n"):
            break
        if character != "<":
            header += source.take(1)
            continue
        token = yield from _header_token(source)
        header += token
        if token == dialects.HEADER_END:
            return header, True
        if not token:
            break
    return header, False


def _header_token(source: Source) -> Generator[None, None, str]:
    """Read a token that a header may hold or end with; nothing where none stands."""
    raw = ""
    while (character := (yield from source.peek())) and any(
        token.startswith(raw + character) for token in _HEADER_TOKENS
    ):
        raw += source.take(1)
        if raw in _HEADER_TOKENS:
            return raw
    source.unread(raw)
    return ""


def _kind_of_message(header: str) -> TagKind:
    """Tell what a message is by its header (EXT-100, EXT-103, EXT-104)."""
    header = header.removesuffix(dialects.HEADER_END)
    channel = header.rpartition("<|channel|>")[2].partition("<|")[0]
    if "<|channel|>" in header and channel.strip(BLANKS) == dialects.TOOL_CHANNEL:
        return "opener"
    return "reserved" if any(sign in header for sign in dialects.RESERVED_IN_HEADERS) else "none"


def _heads(texts: Collection[str]) -> frozenset[str]:
    return frozenset(text[:length] for text in texts for length in range(1, len(text) + 1))


def _finished(parse: Generator[None, None, int]) -> int:
    """Run a parser over a text that has ended."""
    try:
        next(parse)
    except StopIteration as done:
        result: int = done.value
        return result
    raise AssertionError("the parser wants text behind the end")


REASONING_CLOSER = MarkerReader(
    {f"</{dialects.REASONING}": ("closer", dialects.REASONING)},
    {},
)
RESERVED_CLOSERS = MarkerReader(
    {},
    dict.fromkeys((dialects.MESSAGE_END, dialects.CALL_END), ("closer", dialects.HARMONY_PSEUDO)),
)
