"""Names, elements and members that grow piece by piece, as the texts in them do."""

from collections.abc import Mapping, Set
from typing import Any, Final

from commoncall.growing import GrowingText
from commoncall.json_text import equal


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
            or isinstance(words, str) is isinstance(self._words, GrowingText)
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
