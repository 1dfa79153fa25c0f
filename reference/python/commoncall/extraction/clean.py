"""The fast path: clean blocks, strict JSON from the opener to the first own closer, as nearly all
blocks are, and the prose between them.

They are read at the speed of the host's decoder. What is found is what the careful parsers
would find, and where that is not certain nothing is found here: a closer in a string, a
repair, several values, a number out of range, great depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from commoncall.call_object import judge
from commoncall.extraction.call_value import Call, Found, Refused, call_of, with_note
from commoncall.extraction.code import CodeTracker
from commoncall.extraction.decided import Decided
from commoncall.extraction.dialects import Dialect, Tag
from commoncall.extraction.language import Language
from commoncall.extraction.source import Source
from commoncall.json_object import read_payload, scanner_of
from commoncall.json_text import JSON_SPACE, JsonTextError, holds_lone_surrogate, is_shallow

_SPACE = re.compile(r"[ \t\n\r]*")
_BEGIN = re.compile(r"[ \t\n\r]*[\[{]")


@dataclass(frozen=True, slots=True)
class CleanBlock:
    """How a clean block of a dialect looks.

    Attributes:
        closer: the closer as models write it.
        head: what stands before the arguments in the usual payload, which holds a name that can
            be sent and then the arguments, and no other member.
    """

    dialect: Dialect
    closer: str
    head: Callable[[str, int], re.Match[str] | None]

    def read_usual(self, text: str, head: re.Match[str], closer: int) -> Call | None:
        """Read the usual payload, given its head, up to the closer."""
        last = text.rfind("}", head.end(), closer)
        if last < 0 or text[last + 1 : closer].strip(JSON_SPACE):
            return None
        source = text[head.end() : last].rstrip(JSON_SPACE)
        if not is_shallow(source):
            return None
        try:
            arguments, end = scanner_of(source)(source, 0)
        except (ValueError, StopIteration):
            return None
        if end < len(source) or holds_lone_surrogate(source):
            return None
        assert isinstance(arguments, dict)
        return {"id": "", "name": head[1], "arguments": arguments, "arguments_json": source}

    def read_any(self, text: str, begin: int, closer: int) -> list[Found] | None:
        """Read what stands from behind the opener up to the closer; None where care is needed."""
        at = _SPACE.match(text, begin, closer).end()  # type: ignore[union-attr]
        begins = ("{", "[") if self.dialect.scanner == "json_values" else "{"
        if not text.startswith(begins, at):
            return None
        payload = text[at:closer]
        try:
            values = read_payload(payload)
        except JsonTextError:
            return None
        form, no_call = self.dialect.form, Refused("not_a_call")
        read = [no_call if one is None else call_of(judge(payload, one, form)) for one in values]
        return [item for one in read for item in with_note(one)]


def _clean_block(dialect: Dialect) -> CleanBlock | None:
    """Return how a clean block of a dialect looks, None where it has none that could be read so."""
    closer = dialect.closer
    takes_objects = dialect.scanner in ("json_values", "json_object") and not dialect.form.keyed
    if closer is None or not takes_objects:
        return None
    head = ["", r"\{", f'"{re.escape(dialect.form.names[0])}"', ":", '"([A-Za-z0-9_-]{1,64})"', ","]
    head += [f'"{re.escape(dialect.form.arguments[0])}"', ":", r"(?=\{)"]
    return CleanBlock(
        dialect,
        f"</{closer.name}>" if isinstance(closer, Tag) else closer,
        re.compile(r"[ \t\n\r]*+".join(head)).match,
    )


CleanBlocks = dict[str, CleanBlock]


@lru_cache
def _clean_blocks(language: Language) -> tuple[CleanBlocks, CleanBlocks]:
    """Return how clean blocks look, by the key of the dialect and by the group of the opener, there
    without openers with a header and blocks whose length counts.
    """
    blocks = {key: _clean_block(dialect) for key, dialect in language.dialects.items()}
    by_key = {key: block for key, block in blocks.items() if block}
    by_opener = {
        group: by_key[key]
        for group, (key, *_) in language.markers.groups("opener")
        if key in by_key and language.dialects[key].limit_bytes is None
    }
    return by_key, by_opener


class CleanRun:
    """Reads clean blocks in the window.

    No payload is read here a second time: whoever begins to read one says how far it went.

    Attributes:
        is_on: the switch of the fast path, without which every character is read with care.
    """

    __slots__ = ("_by_key", "_by_opener", "_code", "_decided", "_read_to", "_search", "_source")
    is_on: ClassVar[bool] = True

    def __init__(
        self, language: Language, source: Source, code: CodeTracker, decided: Decided
    ) -> None:
        self._source, self._code, self._decided = source, code, decided
        self._search = language.markers.search
        self._by_key, self._by_opener = _clean_blocks(language) if self.is_on else ({}, {})
        self._read_to = 0  # the offset before which no payload is read here

    def read_blocks(self) -> re.Match[str] | None:
        """Move over clean blocks and prose; return what the search for the next marker found."""
        source, decided, search = self._source, self._decided, self._search
        text, base, at = source.text, source.base, source.at
        while match := search(text, at):
            start, begin = match.span()
            clean = self._by_opener.get(match.lastgroup or "")
            if clean is None:
                break
            head = clean.head(text, begin)
            if head is None and _BEGIN.match(text, begin) is None:
                break
            closer = self._closer(clean, begin)
            if closer < 0:
                break
            call = clean.read_usual(text, head, closer) if head else None
            found = None if call else clean.read_any(text, begin, closer)
            end = closer + len(clean.closer)
            if not (call or found) or not self._code.skip_if_dull(text, at, start, base + end):
                break
            if at < start:
                decided.text(text[at:start])
            source.at = at = end
            if call:
                decided.call(call)
                decided.removed(base + start, base + end, "call", clean.dialect.id, 1)
            else:
                decided.block(clean.dialect, base + start, base + end, found or ())
        return match

    def decoder_stop(self, dialect: Dialect, at: int) -> int:
        """Return the place up to which the host's decoder may read values of a payload."""
        source = self._source
        if not self.is_on or source.base + at < self._read_to:
            return 0
        end = len(source.text)
        clean = self._by_key.get(dialect.key)
        if clean is None:
            self._read_to = source.base + end
            return end
        closer = self._closer(clean, at)
        return closer if closer >= 0 else end

    def begin_again(self) -> None:
        """Say that nothing of the payload at the cursor was read."""
        self._read_to = min(self._read_to, self._source.offset)

    def _closer(self, clean: CleanBlock, begin: int) -> int:
        """Return the place of the first closer, -1 where there is none or it was read already."""
        text, base = self._source.text, self._source.base
        if base + begin < self._read_to:
            return -1
        # One character is found much faster than several.
        closer = text.find(clean.closer[0], begin)
        if not text.startswith(clean.closer, closer):
            closer = text.find(clean.closer, begin)
        self._read_to = base + (closer if closer >= 0 else len(text))
        return closer
