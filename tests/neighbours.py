"""Neighbours of a value that are mostly wrong, for what judges values."""

from collections.abc import Iterator, Mapping

WRONG: list[object] = [None, True, 1, 1.5, "", [], {}, [None], [[]], [{}], [{"code": "x"}]]


def variants(value: object) -> Iterator[object]:
    """The value, and neighbours of it: a member less, more, or of no type."""
    yield value
    yield [value]
    if isinstance(value, Mapping):
        yield {**value, "another": 1}
        for name in value:
            yield {key: item for key, item in value.items() if key != name}
            for wrong in WRONG:
                yield {**value, name: wrong}
