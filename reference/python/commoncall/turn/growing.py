"""Texts that grow piece by piece, in time that grows with their length and not with the pieces.

None of them is joined for a piece: what a server sends in 100,000 chunks would be copied as often.
"""

import re
from collections.abc import Mapping, Set
from typing import Any, Final, Literal

from commoncall.json_text import JSON_SPACE, decode_object, equal, is_blank, joined_pairs

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


class GrowingNames:
    """The names that the entries of a call send (definition "sent names")."""

    def __init__(self) -> None:
        self._kept = GrowingText()
        self._all = GrowingText()

    def add(self, name: str) -> None:
        """Add a name."""
        self._all.append(name)
        if not self._kept.equals(name):
            self._kept.append(name)

    def readings(self) -> tuple[str, str] | None:
        """Return the kept and the appended name, or None where none was sent."""
        return (str(self._kept), str(self._all)) if self._all.is_given else None


class _Thought:
    """A thought that grows, in words, in a list, or in neither."""

    def __init__(self, element: Mapping[str, object], name: str) -> None:
        self._members: dict[str, object] = {"type": element["type"]}
        self._name = name
        self._words: GrowingText | list[object] | None = None
        self.add(element)

    def takes(self, element: Mapping[str, object]) -> bool:
        """Tell whether an element is a piece of this one (definition "joined elements")."""
        words = element.get(self._name)
        is_one = element["type"] == self._members["type"] and equal(
            element.get("index"), self._members.get("index")
        )
        is_alike = (
            words is None
            or self._words is None
            or isinstance(words, str) is (isinstance(self._words, GrowingText))
        )
        signature = self._members.get("signature")
        return is_one and is_alike and not (isinstance(signature, str) and signature)

    def add(self, element: Mapping[str, object]) -> None:
        """Add a piece."""
        for name, value in element.items():
            if name == self._name:
                self._say(value)
            if self._members.get(name) in (None, ""):
                self._members[name] = value

    def _say(self, words: object) -> None:
        if isinstance(words, str):
            if not isinstance(self._words, GrowingText):
                self._words = GrowingText()
            self._words.append(words)
        elif isinstance(words, list):
            if not isinstance(self._words, list):
                self._words = []
            self._words.extend(words)

    def element(self) -> dict[str, object]:
        """Return it as one element."""
        words = str(self._words) if isinstance(self._words, GrowingText) else self._words
        return self._members if words is None else {**self._members, self._name: words}


def _named_words(element: dict[str, object]) -> str | None:
    """Return the member in which a thought has its words, None where that is no thought."""
    if element.get("type") == "thinking":
        name = "thinking"
    elif element.get("type") == "reasoning.text" and element.get("index") is not None:
        name = "text"
    else:
        return None
    return name if isinstance(element.get(name), str | list | None) else None


class GrowingElements:
    """Elements of arrays, one behind the other (definition "joined elements")."""

    def __init__(self) -> None:
        self._all: list[object] = []

    def add(self, element: object) -> None:
        """Add to the end."""
        name = _named_words(element) if isinstance(element, dict) else None
        if not isinstance(element, dict) or name is None:
            self._all.append(element)
            return
        last = self._all[-1] if self._all else None
        if isinstance(last, _Thought) and last.takes(element):
            last.add(element)
        else:
            self._all.append(_Thought(element, name))

    def extend(self, elements: list[object]) -> None:
        """Add several to the end."""
        for element in elements:
            self.add(element)

    def elements(self) -> list[object]:
        """Return all of them."""
        return [one.element() if isinstance(one, _Thought) else one for one in self._all]


_LOST: Final = object()


class GrowingMembers:
    """Members that nobody reads, by their names (definition "joined value")."""

    def __init__(self) -> None:
        self._values: dict[str, object] = {}  # what grows, a value as it came, or `_LOST`

    def add(self, given: Mapping[str, object], names: Set[str]) -> list[str]:
        """Add those members of one object that have these names, and return which are lost now."""
        lost = []
        for name, value in given.items():
            if name not in names or value is None:
                continue
            known = self._values.setdefault(name, _growing(value))
            if isinstance(known, GrowingText) and isinstance(value, str):
                known.append(value)
            elif isinstance(known, GrowingElements) and isinstance(value, list):
                known.extend(value)
            elif known is not _LOST and not equal(known, value):
                self._values[name] = _LOST
                lost.append(name)
        return lost

    def put(self, into: dict[str, Any]) -> None:
        """Put all that there are into an object."""
        for name, value in self._values.items():
            match value:
                case GrowingText():
                    into[name] = str(value)
                case GrowingElements():
                    into[name] = value.elements()
                case _ if value is not _LOST:
                    into[name] = value


def _growing(value: object) -> object:
    if isinstance(value, str):
        return GrowingText()
    return GrowingElements() if isinstance(value, list) else value
