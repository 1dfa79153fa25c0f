"""What the header of a message says that it is (definitions "message", "message header")."""

import re
from dataclasses import dataclass
from typing import Literal

from commoncall.json_text import BLANKS, JSON_SPACE

HeaderKind = Literal["opener", "reserved", "reasoning", "content", "drop"]
"""What a header begins: ``reserved`` is rejected as no call, and nobody reads what is ``drop``."""

_WORD = re.compile(f"[^{re.escape(BLANKS)}]+")


@dataclass(frozen=True, slots=True)
class PseudoMessages:
    """Headers that open a call, are reserved, or are none."""

    # A header opens a call where it holds ``channel``, and the text from the last of these to the
    # next ``<|`` is ``is_``.
    channel: str
    is_: str
    reserved: tuple[str, ...]  # a header that opens no call and holds one of these is reserved
    ends: tuple[str, ...]  # of a reserved message

    def kind(self, header: str) -> HeaderKind | None:
        """Tell what a header begins (EXT-010, EXT-040)."""
        channel = header.rpartition(self.channel)[2].partition("<|")[0]
        if self.channel in header and channel.strip(BLANKS) == self.is_:
            return "opener"
        return "reserved" if any(sign in header for sign in self.reserved) else None


@dataclass(frozen=True, slots=True)
class Messages:
    """Messages, each on a channel or to a recipient, by the members of their descriptor."""

    begin: str  # of a header
    tokens: tuple[str, ...]
    channel: str
    recipient: str
    prefix: str
    types: frozenset[str] | None  # None for any
    kinds: tuple[tuple[str, Literal["reasoning", "content", "call", "drop"]], ...]
    ends: tuple[str, ...]
    # What a server that takes the tokens leaves of the headers of reasoning, the answer and a call.
    stripped: tuple[str, str, str] | None

    @property
    def bare(self) -> list[str]:
        """What a header without its text begins with."""
        return [text for text in (self.channel, self.recipient) if text != "\n"]

    @property
    def follows(self) -> list[str]:
        """What stands behind an end where such a header follows it."""
        begins = [self.channel + name for name, _ in self.kinds]
        return [text for text in (*begins, self.recipient + self.prefix) if "\n" not in text]

    def kind(self, header: str) -> HeaderKind:
        """Tell what a header begins (EXT-190)."""
        channel, recipients, others = self._words(header)
        # Several recipients are never read, whatever the kind of one is.
        kind = dict(self.kinds).get(min(recipients or {channel}), "call" if recipients else "drop")
        if len(recipients) < 2 and kind != "call":
            return kind
        begin = self.recipient + self.prefix
        is_named = len(recipients) < 2 and all(word.startswith(begin) for word in recipients)
        is_typed = self.types is None or others <= self.types
        return "opener" if is_named and is_typed else "reserved"

    def kind_without_end(self, written: str, *, before: str, is_first: bool) -> HeaderKind | None:
        """Tell what a header begins that lacks its end; None where it is none: it needs a token,
        and has to say what it is, or to begin as one (D41.5). ``before`` is the text that it stands
        before.
        """
        header = written.removeprefix(self.begin)
        channel, recipients, others = self._words(header)
        # Before JSON the payload of a call comes. Before an end nothing does: a call is reserved
        # there, and a channel that nobody knows begins a message all the same, which is dropped.
        is_before_json = before.lstrip(JSON_SPACE).startswith("{")
        if channel in dict(self.kinds):
            is_channel = not others
        else:
            is_begin = (is_first or header != written) and not is_before_json
            is_strange = channel != "" and not channel.startswith((*self.shown,))
            is_channel = is_begin and is_strange
        if "<" not in written or not (recipients or is_channel):
            return None
        kind = self.kind(header)
        return kind if is_before_json or kind != "opener" else "reserved"

    @property
    def shown(self) -> dict[str, Literal["reasoning", "content"]]:
        """The channels of reasoning and of content."""
        return {name: kind for name, kind in self.kinds if kind == "reasoning" or kind == "content"}

    def holds_text(self, header: str) -> bool:
        """Tell whether a header that the text cuts off has words of a text, behind its channel."""
        channel, recipients, others = self._words(header)
        is_text = any(not word.startswith("<") for word in others)
        return not recipients and channel in self.shown and is_text

    def name(self, header: str) -> str:
        """Return the name in a header that begins a call."""
        _, recipients, _ = self._words(header)
        return "".join(recipients).removeprefix(self.recipient + self.prefix)

    def _words(self, header: str) -> tuple[str, set[str], set[str]]:
        """Return the last channel of a header, its recipients, and its other words."""
        parts = header.split(self.channel)
        for token in self.tokens:
            parts = [part.replace(token, " ") for part in parts]
        first, *behind = map(_WORD.findall, parts)
        *earlier, last = behind or [[]]
        # Behind a channel that does not count only a recipient that names a tool does (D42.1).
        named = self.recipient + self.prefix
        kept = (word for each in earlier for word in each[1:] if word.startswith(named))
        words = {*first, *kept, *last[1:]}
        recipients = {word for word in words if self.recipient and word.startswith(self.recipient)}
        return "".join(last[:1]), recipients, words - recipients
