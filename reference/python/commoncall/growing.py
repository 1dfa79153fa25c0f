"""Texts and arguments that grow piece by piece, in time that grows with their length and not with
the pieces.

None of them is joined for a piece: what a server sends in 100,000 chunks would be copied as often.
"""

import re
from typing import Literal

from commoncall.json_text import JSON_SPACE, decode_object, is_blank, joined_pairs

_TOKEN = re.compile(r'\\(?:.|\Z)|["{}\[\]]', re.DOTALL)
"""What decides how deep a JSON text is; a backslash at the end escapes what comes next."""


class GrowingText:
    """A text in pieces; two halves of a surrogate pair that meet are one (definition "joined
    text"). Where there was no piece, not even an empty one, nobody gave it.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.is_given = False

    @property
    def text(self) -> str | None:
        """The text, None where nobody gave it."""
        return str(self) if self.is_given else None

    def append(self, piece: str) -> None:
        """Add to the end."""
        self.is_given = True
        if not piece:
            return
        if "\udc00" <= piece[0] <= "\udfff" and self.pieces:
            last = self.pieces[-1]
            if "\ud800" <= last[-1] <= "\udbff":
                self.pieces[-1] = last[:-1] + joined_pairs(last[-1] + piece[0])
                piece = piece[1:]
        if piece:
            self.pieces.append(piece)
            self.length += len(piece)

    def equals(self, text: str) -> bool:
        """Tell whether this is the text; it is joined only where the lengths are equal."""
        return self.length == len(text) and str(self) == text

    def __str__(self) -> str:
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


_State = Literal["before", "in", "behind", "whole", "other"]
"""Where a text ends: before an object, in it, or behind it; "whole": it was decoded, and is one
object with white space at most behind it; "other": it is none, whatever comes.
"""


class GrowingArguments(GrowingText):
    """The arguments of a call, looked at once, however often they are asked to be whole."""

    def __init__(self) -> None:
        super().__init__()
        self._seen = 0  # characters that `_look` has read
        self._depth = 0
        self._in_string = self._is_escaped = False
        self._state: _State = "before"

    def add(self, piece: str) -> None:
        """Add a piece, unless it repeats whole arguments (definition "pieces of arguments")."""
        if not (self.equals(piece) and self.is_whole()):
            self.append(piece)

    def goes_on_with(self, piece: str) -> bool:
        """Tell whether a piece that comes with a name can be of this call (definition "slot")."""
        return is_blank(piece) or self.equals(piece) or not self.is_whole()

    def is_whole(self) -> bool:
        """Tell whether this is the text of an object (definition "whole arguments").

        What came since it was asked last is read, and the state says how far it is.
        """
        text = self._unseen()
        if text:
            self._look(text)
        if self._state == "behind":
            # Decoded once: only white space can follow it and leave it what it is.
            self._state = "other" if decode_object(str(self)) is None else "whole"
        return self._state == "whole"

    def _unseen(self) -> str:
        """Return what came since the last look."""
        missing, found = self.length - self._seen, []
        for piece in reversed(self.pieces):
            if missing <= 0:
                break
            found.append(piece[-missing:])
            missing -= len(piece)
        self._seen = self.length
        return "".join(reversed(found))

    def _look(self, text: str) -> None:
        """Find where an object ends that begins the text."""
        if self._state == "before":
            text = text.lstrip(JSON_SPACE)
            if not text:
                return
            self._state = "in" if text[0] == "{" else "other"
        if self._state == "in":
            text = self._behind(text)
        if self._state in ("behind", "whole") and text.strip(JSON_SPACE):
            self._state = "other"

    def _behind(self, text: str) -> str:
        """Return what stands behind the object, where it ends."""
        start, self._is_escaped = int(self._is_escaped), False
        for token in _TOKEN.finditer(text, start):
            mark = token[0]
            if mark[0] == "\\":
                self._is_escaped = len(mark) == 1
            elif mark == '"':
                self._in_string = not self._in_string
            elif not self._in_string:
                self._depth += 1 if mark in "{[" else -1
                if not self._depth:
                    self._state = "behind"
                    return text[token.end() :]
        return ""
