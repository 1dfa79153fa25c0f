"""Which call each tool message of a history answers (definitions "batch", "result" and "later
result" of spec/v1/payload.md).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from commoncall.payload.messages import Round, calls_of, is_visible


@dataclass(slots=True, eq=False)
class CallAndResults:
    """A call, the position of its result, and those of the messages that answer it again."""

    given: object
    place: int
    round: int
    batch: int
    result: int | None = None
    later: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Tool:
    given: object
    place: int
    round: int
    batch: int
    free: bool = True


_SIGNS: Final = re.compile(r"[\0-/:-@\[-`{-\x7f]")
"""The characters of ASCII that are neither letters nor digits."""

_End = CallAndResults | _Tool
"""What a pair has at its two ends."""

_Keys = Callable[[_End], Iterable[Hashable]]
"""What a call and a message have to have in common; nothing where a row does not look at one."""


def paired(found: Sequence[Round], messages: Sequence[object]) -> list[list[CallAndResults]]:
    """Return the calls of each round with their results; ``messages`` are those of the input.

    What a profile takes from a tool message, such as its name, still says whose result it is.
    """
    calls: list[list[CallAndResults]] = []
    tools: list[_Tool] = []
    batch = 0
    for number, round_ in enumerate(found):
        at, message = round_.calling or (-1, {})
        calls.append([CallAndResults(one, at, number, batch) for one in calls_of(message)])
        tools += [_Tool(messages[at], at, number, batch) for at, _ in round_.tools]
        batch += bool(round_.tools or round_.others)
    _take_steps([call for of_round in calls for call in of_round], tools)
    return calls


def _take_steps(calls: Sequence[CallAndResults], tools: Sequence[_Tool]) -> None:
    """Take the rows of the definition "result"; what is left may be a later result."""
    in_order: Sequence[_Keys] = (_id, _name_for_id, _tool_without_id)
    for keys in in_order:
        # Where as many stand together, none is missing.
        _in_order(calls, tools, _in_batch(keys), as_many=True)
        _in_order(calls, tools, _in_round(keys))
    _only(calls, tools)
    # The last row: all of a batch have one key.
    for open_, waiting in _groups(calls, tools, _in_batch(lambda end: [None])):
        if len(open_) == len(waiting) == 1 and not _id(open_[0]):
            open_[0].result, waiting[0].free = waiting[0].place, False
    # What is left answers the last call before it that has its id, unless it repeats the result.
    last: dict[Hashable, CallAndResults] = {}
    said: dict[int | None, object] = {tool.place: _member(tool, "content") for tool in tools}
    ends: list[_End] = [*calls, *tools]
    for end in sorted(ends, key=lambda end: end.place):
        if isinstance(end, CallAndResults):
            last.update(dict.fromkeys(_loose_ids(end), end))
        elif end.free:
            for key in _loose_ids(end):
                if key in last and not _is_copy(said[end.place], said.get(last[key].result)):
                    last[key].later.append(end.place)


def _is_copy(content: object, before: object) -> bool:
    return isinstance(content, str) and content == before


def _in_order(
    calls: Sequence[CallAndResults], tools: Sequence[_Tool], keys: _Keys, *, as_many: bool = False
) -> None:
    for open_, waiting in _groups(calls, tools, keys):
        if not as_many or len(open_) == len(waiting):
            for call, tool in zip(open_, waiting, strict=False):
                call.result, tool.free = tool.place, False


def _only(calls: Sequence[CallAndResults], tools: Sequence[_Tool]) -> None:
    """Pair each message with the only call left that has its loose id: one before it, or the only
    one of the history.
    """
    open_: dict[str, list[CallAndResults]] = defaultdict(list)
    of_history: Counter[str] = Counter()
    for call in calls:
        for key in _loose_ids(call):
            of_history[key] += 1
            if call.result is None:
                open_[key].append(call)
    # Counted down, since to look through the calls for each message would take the square of time.
    left = Counter({key: len(each) for key, each in open_.items()})
    for tool in tools:
        for key in _loose_ids(tool) if tool.free else ():
            if left[key] != 1:
                continue
            open_[key] = [call for call in open_[key] if call.result is None]
            (call,) = open_[key]
            if call.place < tool.place or of_history[key] == 1:
                call.result, tool.free = tool.place, False
                left.subtract(_loose_ids(call))


def _groups(
    calls: Iterable[CallAndResults], tools: Iterable[_Tool], keys: _Keys
) -> list[tuple[list[CallAndResults], list[_Tool]]]:
    """Return the open calls and the free messages that have a key together."""
    waiting: dict[Hashable, list[_Tool]] = defaultdict(list)
    for tool in tools:
        if tool.free:
            for key in keys(tool):
                waiting[key].append(tool)
    open_: dict[Hashable, list[CallAndResults]] = defaultdict(list)
    for call in calls:
        if call.result is None:
            for key in keys(call):
                open_[key].append(call)
    return [(open_[key], waiting[key]) for key in waiting]


def _in_batch(keys: _Keys) -> _Keys:
    return lambda end: [(end.batch, key) for key in keys(end)]


def _in_round(keys: _Keys) -> _Keys:
    return lambda end: [(end.round, key) for key in keys(end)]


def _id(end: _End) -> list[str]:
    given = _member(end, "id" if isinstance(end, CallAndResults) else "tool_call_id")
    return [given] if is_visible(given) else []


def _loose_ids(end: _End) -> list[str]:
    """Return what is left of the ids without signs and spaces; a call of Responses has two."""
    given = _id(end)
    if isinstance(end, CallAndResults) and is_visible(other := _member(end, "call_id")):
        given.append(other)
    return list(dict.fromkeys(bare for each in given if (bare := _SIGNS.sub("", each))))


def _tool_without_id(end: _End) -> list[None]:
    """Return what any call has in common with a message that has no id."""
    return [] if isinstance(end, _Tool) and _id(end) else [None]


def _name_for_id(end: _End) -> list[str]:
    """Return the name of a call, or that of a message that has no id."""
    if isinstance(end, CallAndResults):
        function = _member(end, "function")
        names = [function.get("name")] if isinstance(function, dict) else []
    else:
        names = [] if _id(end) else [_member(end, "name")]
    return [name for name in names if isinstance(name, str)]


def _member(end: _End, name: str) -> object:
    return end.given.get(name) if isinstance(end.given, dict) else None
