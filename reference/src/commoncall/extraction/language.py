"""What is looked for with some dialects active, compiled once (definitions "dialect", "marker")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from commoncall.extraction.clean import CleanBlock, clean_block
from commoncall.extraction.dialects import (
    DIALECTS,
    FOREIGN_OPENINGS,
    REASONING,
    Dialect,
    Header,
    Literally,
    Tag,
)
from commoncall.extraction.markers import (
    BLANK_LINE,
    Markers,
    Sign,
    header_sign,
    opening_sign,
    tag_sign,
    text_sign,
)

REASONING_CLOSER = Markers([tag_sign("closer", "", f"</{REASONING}")])


class Language:
    """The markers of some dialects (EXT-007).

    Attributes:
        dialects: by id.
        markers: of the dialects, and the reasoning opener.
        clean_blocks: how clean blocks look, by the id of the dialect.
        clean: the same by what the match of the opener is called, but for openers with a header.
        first: the characters that markers begin with, two or the same twice; where there are more,
            the empty text, which stands in every chunk.
        last: the same for the characters that markers end with.
    """

    def __init__(self, dialects: Sequence[Dialect]) -> None:
        self.dialects = {dialect.id: dialect for dialect in dialects}
        self._signs = [tag_sign("reasoning", "", f"<{REASONING}")]
        for dialect in dialects:
            self._signs += [_opener(dialect), _closer(dialect)]
        self.markers = Markers(self._signs)
        self.clean_blocks = {dialect.id: clean_block(dialect) for dialect in dialects}
        self.clean: dict[str | None, CleanBlock] = {
            group: self.clean_blocks[name] for group, (name,) in self.markers.groups("opener")
        }
        self.first = _two(sign.first for sign in self._signs)
        self.last = _two(sign.last for sign in self._signs)
        self._own: dict[str, Markers] = {}
        self._reserved: dict[str, Markers] = {}

    @cached_property
    def with_foreign(self) -> Markers:
        """The markers, and the openings of other dialects' payloads."""
        return Markers(self._signs + [opening_sign(text) for text in FOREIGN_OPENINGS])

    def own(self, name: str) -> Markers:
        """Return what counts in a failed block: its opener and closer, and blank lines."""
        if name not in self._own:
            dialect = self.dialects[name]
            self._own[name] = Markers([_opener(dialect), _closer(dialect), BLANK_LINE])
        return self._own[name]

    def reserved_closers(self, name: str) -> Markers:
        """Return what ends a reserved message."""
        if name not in self._reserved:
            opener = self.dialects[name].opener
            assert isinstance(opener, Header)
            signs = [text_sign("closer", name, text) for text in opener.reserved_closers]
            self._reserved[name] = Markers(signs)
        return self._reserved[name]


@lru_cache
def language_of(names: tuple[str, ...]) -> Language:
    """Return the language of some dialects, given by their ids."""
    return Language([DIALECTS[name] for name in dict.fromkeys(names)])


def _opener(dialect: Dialect) -> Sign:
    opener = dialect.opener
    if isinstance(opener, Tag):
        return tag_sign("opener", dialect.id, f"<{opener.name}")
    if isinstance(opener, Literally):
        return text_sign("opener", dialect.id, opener.text)
    return header_sign(dialect.id, opener)


def _closer(dialect: Dialect) -> Sign:
    closer = dialect.closer
    if isinstance(closer, Tag):
        return tag_sign("closer", dialect.id, f"</{closer.name}")
    return text_sign("closer", dialect.id, closer.text)


def _two(characters: Iterable[str]) -> tuple[str, str]:
    first, *others = sorted(set(characters))
    return (first, others[0] if others else first) if len(others) < 2 else ("", "")
