"""Which unit a message comes from, after somebody changed the history.

Holds the definition "unit of a message" of spec/v1/interfaces.md.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from commoncall.interface.blocks import list_in
from commoncall.interface.units import Unit
from commoncall.json_text import as_text, known_by

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
    renamed: dict[str | None, str | None] = {}
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


def _keys(message: Any, renamed: Mapping[str | None, str | None]) -> Iterator[_Key]:
    """Give what a message is known by, the surest first; with another role it is another one."""
    given = message if isinstance(message, dict) else {}
    role, content, calls = known_by(given.get("role")), given.get("content"), calls_in(message)
    if role == "tool":
        identifier = as_text(given.get("tool_call_id"))
        yield "result", renamed.get(identifier, identifier)
    elif calls:
        ids = (as_text(call.get("id")) for call in calls)
        yield from (("call", role, each) for each in ids if each is not None)
        yield "does", role, known_by([call.get("function") for call in calls])
    if content is not None:
        yield "says", role, known_by(content)
    else:
        yield "is", known_by(message)


def calls_in(message: Any) -> list[Any]:
    """Return the calls of a message that are objects."""
    return [each for each in list_in(message, "tool_calls") if isinstance(each, dict)]


def _new_ids(before: object, message: object) -> dict[str | None, str | None]:
    old, new = calls_in(before), calls_in(message)
    if len(old) != len(new):
        return {}
    old_ids, new_ids = ([as_text(call.get("id")) for call in calls] for calls in (old, new))
    return dict(zip(new_ids, old_ids, strict=True))
