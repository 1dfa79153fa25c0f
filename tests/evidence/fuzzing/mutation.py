"""JSON values changed a little, with parts of others: near enough to get far into an operation.

All choices come from a seeded ``random.Random``.
"""

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Path = tuple[str | int, ...]

SCALARS: Sequence[object] = [
    *(None, True, False, 0, 1, -1, 2, 1.5, 128, 64, 1e300, [], {}, [{}], {"a": 1}, ["x"], [None]),
    *("", " ", "x", "f", "a b", "é", "\n", "null", "{}", "[]", '{"a":1}', "c1", "call_1"),
    *("auto", "none", "required", "function", "tool", "user", "assistant", "system"),
]
PIECES = [*'<>`{}",', "\n", "x", "\u00a0", "é", "𝄞", "_", "-", ".", ""]


def changed(chance: random.Random, value: object, donors: Sequence[object]) -> object:
    """Return a copy with one to four changes; ``donors`` give parts."""
    holder = [copy.deepcopy(value)]
    for _ in range(chance.choice([1, 1, 1, 2, 2, 3, 4])):
        places = list(paths(holder))[2:]  # neither the holder nor the whole value
        if not places:
            break
        path = chance.choice(places)
        chance.choice(CHANGES)(chance, at(holder, path[:-1]), path[-1], donors)
    return holder[0]


def paths(value: object) -> Iterator[Path]:
    """Give the path of a value and of all in it, from the outside."""
    yield ()
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield from ((key, *path) for path in paths(value[key]))


def at(value: Any, path: Path) -> Any:
    """Return what stands at a path."""
    for key in path:
        value = value[key]
    return value


def _remove(_chance: random.Random, parent: Any, key: Any, _donors: Sequence[object]) -> None:
    del parent[key]


def _replace(chance: random.Random, parent: Any, key: Any, _donors: Sequence[object]) -> None:
    parent[key] = copy.deepcopy(chance.choice(SCALARS))


def _graft(chance: random.Random, parent: Any, key: Any, donors: Sequence[object]) -> None:
    """Put a part of a donor here, mostly one that has the same name there."""
    donor = chance.choice(donors)
    places = list(paths(donor))
    alike = [path for path in places if path[-1:] == (key,)]
    path = chance.choice(alike if alike and chance.random() < 0.8 else places)
    parent[key] = copy.deepcopy(at(donor, path))


def _add(chance: random.Random, parent: Any, key: Any, donors: Sequence[object]) -> None:
    """Add a member or an element of some object or array of a donor."""
    donor = chance.choice(donors)
    kind = type(parent)
    holders = [path for path in paths(donor) if isinstance(at(donor, path), kind)]
    if not holders:
        return
    given = at(donor, chance.choice(holders))
    if isinstance(parent, dict) and given:
        name = chance.choice(list(given))
        parent[name] = copy.deepcopy(given[name])
    elif given:
        parent.insert(key, copy.deepcopy(chance.choice(given)))


def _repeat(chance: random.Random, parent: Any, key: Any, _donors: Sequence[object]) -> None:
    if isinstance(parent, list):
        parent.insert(key, copy.deepcopy(chance.choice(parent)))


def _swap(chance: random.Random, parent: Any, key: Any, _donors: Sequence[object]) -> None:
    if isinstance(parent, list):
        other = chance.randrange(len(parent))
        parent[key], parent[other] = parent[other], parent[key]


def _edit(chance: random.Random, parent: Any, key: Any, _donors: Sequence[object]) -> None:
    """Put a character into a text, or in place of one."""
    text = parent[key]
    if isinstance(text, str):
        place = chance.randrange(len(text) + 1)
        parent[key] = text[:place] + chance.choice(PIECES) + text[place + chance.randrange(2) :]


CHANGES: Sequence[Callable[[random.Random, Any, Any, Sequence[object]], None]] = [
    *(_remove, _replace, _graft, _graft, _add, _repeat, _swap, _edit),
]
