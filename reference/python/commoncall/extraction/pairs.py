"""Tags that no dialect knows around nothing but blocks (definition "foreign pair")."""

import re
from collections.abc import Callable, Collection
from typing import Final

from commoncall.extraction.markers import TAG_NAME, Marker
from commoncall.extraction.parts import PartOfText, Rejected, Text, Whole
from commoncall.extraction.record import Span
from commoncall.extraction.source import ParseOf, Pieces, Source
from commoncall.json_text import JSON_SPACE, SPACE, SPACE_RUN

_TAG: Final = f"<(?:({TAG_NAME}+)(>)?)?"
"""An opening tag, or its begin."""
_OPENING: Final = re.compile(_TAG)
_CLOSING: Final = re.compile(f"<(?:/(?:({TAG_NAME}+)(>)?)?)?")
_SAYS_CALLS: Final = re.compile(r".*calls?|tool_code", re.IGNORECASE | re.ASCII)
_LAST: Final = re.compile(rf"{_TAG}(?(2){SPACE}*)\Z")
"""The same at the end of a text, with the white space behind it."""


def opening_tag(source: Source, taken: Collection[str]) -> ParseOf[str]:
    """Move over the opening tag of a pair, whose name says that calls stand in it, and white space;
    return that name, ``""`` where no such tag stands at the cursor (D40.1).
    """
    found = yield from _tag_here(source, _OPENING, taken)
    if not found or not _SAYS_CALLS.fullmatch(found[1]):
        return ""
    source.at = found.end()
    yield from source.skip_run(SPACE_RUN)
    return found[1]


def strange_closer(source: Source, taken: Collection[str] | None) -> ParseOf[Marker | None]:
    """Return the closing tag of no dialect that stands at the cursor, with itself as header."""
    found = None if taken is None else (yield from _tag_here(source, _CLOSING, taken))
    if not found:
        return None
    return Marker("closer", (), source.base + found.start(), source.base + found.end(), found[0])


def _tag_here(
    source: Source, tag: re.Pattern[str], taken: Collection[str]
) -> ParseOf[re.Match[str] | None]:
    """Return the tag at the cursor that is none of those, with its name in the first group."""
    while (found := tag.match(source.text, source.at)) and not found[2]:
        if found.end() < len(source.text) or not (yield from source.more()):
            return None
    return found if found and f"<{found[1].lower()}>" not in taken else None


class Pairs:
    """Passes the parts of a text on, the tags of a foreign pair as those of a wrapper (EXT-300).

    What can be the opening tag waits for what follows, and so do the blocks behind it.
    """

    def __init__(self, take: Callable[[PartOfText], None], taken: Collection[str] | None) -> None:
        self._take = take
        self._taken = taken  # the tags of no pair, in lower case; None where there are no pairs
        self._tag = ""  # the opening tag, or its begin, with which the text ends
        # What stands behind it but text, each with the white space before it.
        self._inside: list[tuple[str, Whole | Rejected | Span]] = []
        self._space = Pieces()  # behind what came last
        self._end = ""  # the begin of the closing tag

    @property
    def is_open(self) -> bool:
        """Whether what follows can stand in a pair: nothing but blocks stands behind its tag."""
        return self._tag.endswith(">") and not self._end

    def say(self, part: PartOfText) -> None:
        """Say what the next part of the text is."""
        if isinstance(part, Text):
            if not part.is_muted:
                self._text(part.text)
                return
        elif self._goes_on(part):
            self._inside.append((self._space.take(), part))
            if isinstance(part, Whole) and part.closer == self._tag.replace("<", "</"):
                self._close()  # in its last block (D70.4)
            return
        self.flush()
        self._take(part)

    def flush(self) -> None:
        """Say that there is no pair."""
        tag, inside, behind = self._tag, self._inside, self._space.take() + self._end
        self._tag, self._inside, self._end = "", [], ""
        self._take(Text(tag))
        for space, part in inside:
            self._take(Text(space))
            self._take(part)
        self._take(Text(behind))

    def _goes_on(self, part: Whole | Rejected | Span) -> bool:
        """Tell whether a part can stand in a pair here, as its first one or a further one."""
        if not self._inside:
            return self._tag.endswith(">") and part.dialect != ""
        is_other = isinstance(part, Span) and part.kind in ("reasoning", "message")
        return not self._end and not is_other

    def _text(self, text: str) -> None:
        if not self._tag.endswith(">"):
            self._begin(self._tag + text)
            return
        if not self._end:
            behind = text.lstrip(JSON_SPACE)
            self._space.append(text[: len(text) - len(behind)])
            text = behind
        self._end += text
        closer = self._tag.replace("<", "</")
        if self._inside and closer.startswith(self._end) and self._end != closer:
            return
        end, self._end = self._end, ""
        if self._inside and end.startswith(closer):
            self._close()
            self._begin(end.removeprefix(closer))
        elif end:
            self.flush()
            self._begin(end)

    def _begin(self, text: str) -> None:
        """Pass a text on, but for an opening tag at its end."""
        found, taken = _LAST.match(text, max(text.rfind("<"), 0)), self._taken
        if taken is None or (found and found[2] and f"<{found[1].lower()}>" in taken):
            found = None
        at = found.start() if found else len(text)
        end = found.end(2) if found and found[2] else len(text)
        self._tag = text[at:end]
        self._space.append(text[end:])
        self._take(Text(text[:at]))

    def _close(self) -> None:
        """Say that there is a pair, whose closing tag stands behind the white space or in the last
        block.
        """
        space, first = self._inside[0]
        dialect = first.dialect if isinstance(first, Span) else first.dialect.id
        at = first.start - len(space)
        self._take(Span(at - len(self._tag), at, "call", dialect, 0))
        for _, part in self._inside:
            self._take(Span(at, part.start, "token"))
            self._take(part)
            at = part.end
        end, closer = at + len(self._space.take()), self._tag.replace("<", "</")
        self._take(Span(at, end, "token"))
        _, last = self._inside[-1]
        if not (isinstance(last, Whole) and last.closer == closer):
            self._take(Span(end, end + len(closer), "call", dialect, 0))
        self._tag, self._inside = "", []
