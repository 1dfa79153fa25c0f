"""Which unit a message comes from, after somebody changed the history.

Holds the definition "unit of a message" of spec/v1/interfaces.md.
"""

import json
from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from commoncall.interface.blocks import list_in
from commoncall.interface.units import Unit

_Key = tuple[Hashable, ...]


def aligned(units: Sequence[Unit], messages: Sequence[object]) -> list[Unit | None]:
    """Return for each message the unit that it comes from, None for one that was made.

    Calls and results are known by their ids, and all else by what it says; but for results, the
    order stays. So where nothing changed each has its own, also where two say the same.
    """
    waiting: dict[_Key, deque[int]] = defaultdict(deque)
    for at, unit in enumerate(units):
        for key in _keys(unit.message, {}):
            waiting[key].append(at)
    found: list[Unit | None] = []
    taken: set[int] = set()
    renamed: dict[str, str] = {}
    last = -1
    for message in messages:
        is_result = isinstance(message, dict) and message.get("role") == "tool"
        place = _first(_keys(message, renamed), waiting, taken, -1 if is_result else last)
        found.append(None if place is None else units[place])
        if place is not None:
            taken.add(place)
            last = last if is_result else place
            renamed.update(_new_ids(units[place].message, message))
    return found


def _first(
    keys: Iterator[_Key], waiting: Mapping[_Key, deque[int]], taken: set[int], last: int
) -> int | None:
    for key in keys:
        places = waiting.get(key, deque())
        # Gone for good: `last` is lower again only for results, which have keys of their own.
        while places and (places[0] <= last or places[0] in taken):
            places.popleft()
        if places:
            return places[0]
    return None


def _keys(message: Any, renamed: Mapping[str, str]) -> Iterator[_Key]:
    """Give what a message is known by, the surest first."""
    if not isinstance(message, dict):
        yield "is", _canonical(message)
        return
    role, content = message.get("role"), message.get("content")
    if role == "tool":
        identifier = _canonical(message.get("tool_call_id"))
        yield "result", renamed.get(identifier, identifier)
    elif calls := calls_in(message):
        yield from (("call", _canonical(call.get("id"))) for call in calls if "id" in call)
        yield "does", _canonical([call.get("function") for call in calls])
    if content is not None:
        yield "says", str(role), _canonical(content)


def _canonical(value: object) -> str:
    """Return equal values as one text, whatever the order of their members."""
    return json.dumps(value, sort_keys=True)


def calls_in(message: Any) -> list[Any]:
    """Return the calls of a message that are objects."""
    return [each for each in list_in(message, "tool_calls") if isinstance(each, dict)]


def _new_ids(before: object, message: object) -> dict[str, str]:
    old, new = calls_in(before), calls_in(message)
    if len(old) != len(new):
        return {}
    pairs = ((one.get("id"), other.get("id")) for one, other in zip(new, old, strict=True))
    return {
        _canonical(one): _canonical(other)
        for one, other in pairs
        if isinstance(one, str) and isinstance(other, str)
    }
