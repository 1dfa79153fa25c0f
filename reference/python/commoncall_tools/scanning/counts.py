"""What a scan counts, and how counts of parts become those of the whole."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict, cast

FIRST: Final = 5
"""So many places of bad lines are named for each kind."""


class Tally(TypedDict):
    """Leaks: the texts that hold some, the calls that are read, and the places where none is."""

    texts: int
    calls: int
    rejected: int


class Model(TypedDict):
    """What was found in the lines of one model."""

    texts: int
    leaks: Tally
    histories: int
    poisoned: int


class Place(TypedDict):
    """A line of a file, from 1."""

    file: str
    line: int


class Bad(TypedDict):
    """Lines that cannot be judged, and where the first of them are."""

    count: int
    first: list[Place]


class Example(Place):
    """A leak or a finding.

    ``kind`` says what: a call that is read, a place where calls were meant and none is read, or a
    finding of a history. ``message`` is the place of the message in its history, from 0. A leak has
    ``dialects``, ``codes`` and ``calls``, a finding one code and ``path``. ``text`` is what the
    leak says, where that was asked for.
    """

    kind: Literal["call", "rejected", "poisoned"]
    codes: list[str]
    message: NotRequired[int]
    dialects: NotRequired[list[str]]
    calls: NotRequired[int]
    path: NotRequired[str]
    text: NotRequired[str]


class Counts(TypedDict):
    """What stands in lines.

    Attributes:
        lines: those that are not blank, bad ones among them.
        histories: lines that are a history.
        messages: of all roles; a line that is a text counts as one.
        texts: of assistants, those that are not empty.
        leaks: each place once.
        codes: of places, why something there is no call; each code once a place.
        dialects, formats: leaks by who reads them; a place counts for each that does.
        poisoned: histories with a finding that is more than a note, or that some endpoint refuses.
        findings: of histories, by code, notes too.
        models: by name; ``""`` are lines that name none.
        bad: by kind.
        examples: of each kind, dialects and codes the first.
    """

    lines: int
    histories: int
    messages: int
    texts: int
    leaks: Tally
    codes: dict[str, int]
    dialects: dict[str, Tally]
    formats: dict[str, Tally]
    poisoned: int
    findings: dict[str, int]
    models: dict[str, Model]
    bad: dict[str, Bad]
    examples: list[Example]


def no_tally() -> Tally:
    """Return the tally of nothing."""
    return {"texts": 0, "calls": 0, "rejected": 0}


def no_model() -> Model:
    """Return what was found in no line."""
    return {"texts": 0, "leaks": no_tally(), "histories": 0, "poisoned": 0}


def no_counts() -> Counts:
    """Return the counts of nothing."""
    return {
        "lines": 0,
        "histories": 0,
        "messages": 0,
        "texts": 0,
        "leaks": no_tally(),
        "codes": {},
        "dialects": {},
        "formats": {},
        "poisoned": 0,
        "findings": {},
        "models": {},
        "bad": {},
        "examples": [],
    }


def merge(left: Counts, right: Counts, *, examples: int = 0) -> Counts:
    """Return the counts of two parts together; the order of parts does not matter.

    ``examples`` is how many are kept of each kind, dialects and codes.
    """
    merged = cast(Counts, _sum(left, right))
    for bad in merged["bad"].values():
        bad["first"] = sorted(bad["first"], key=place_of)[:FIRST]
    merged["examples"] = first_of_each(merged["examples"], examples)
    return merged


def place_of(one: Mapping[str, Any]) -> tuple[str, int, int, str]:
    """Return where a bad line or an example stands, in the order of places."""
    return one["file"], one["line"], one.get("message", -1), one.get("path", "")


def first_of_each(examples: list[Example], count: int) -> list[Example]:
    """Return so many examples of each kind, dialects and codes, in the order of their places."""
    return [one for nth, one in _numbered(examples) if nth <= count]


def worst(examples: list[Example], count: int) -> list[Example]:
    """Return so many examples, of as many groups as there can be: what is lost comes first."""
    ranks = {"rejected": 0, "poisoned": 1, "call": 2}
    in_order = sorted(_numbered(examples), key=lambda each: (each[0], ranks[each[1]["kind"]]))
    return [one for _, one in in_order[:count]]


def _numbered(examples: list[Example]) -> Iterator[tuple[int, Example]]:
    """Yield examples in the order of their places, each with its number among those of its kind,
    dialects and codes.
    """
    seen = Counter[object]()
    for one in sorted(examples, key=place_of):
        group = one["kind"], *one.get("dialects", ()), *one["codes"]
        seen[group] += 1
        yield seen[group], one


def _sum(left: Any, right: Any) -> Any:
    """Add numbers, join lists, and do so with the members of objects."""
    if not isinstance(left, dict):
        return left + right
    both = {name: _sum(left[name], right[name]) for name in left.keys() & right.keys()}
    return {name: both.get(name, value) for name, value in {**left, **right}.items()}
