"""The blocks of one message: those that it came with, and those that are made of what is new.

Holds the definition "blocks of a message", ITF-019 and ITF-038 of spec/v1/interfaces.md.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from commoncall.interface.aligned import calls_in
from commoncall.interface.blocks import (
    block_of,
    call_block,
    call_of,
    function_of,
    id_of,
    list_in,
    others_in,
    own_of,
    part_of,
    parts_in,
    unsaid,
)
from commoncall.interface.table import Form, JsonObject, types_of
from commoncall.interface.units import Piece, Unit, is_call
from commoncall.json_text import as_text, equal
from commoncall.places import Findings, Place

_WRITTEN: Final = {"role": str, "content": str | list, "tool_calls": list}
_WRITTEN_OF_RESULT = {"role", "content", "tool_call_id", "name"}  # the name is that of its call


class Written(NamedTuple):
    """A block as it is sent; the piece that it was, if it was one."""

    block: Any
    piece: Piece | None = None


class Known(NamedTuple):
    """What was carried: what a call of each function has, by its name in the contracts, and the ids
    of calls whose tools take a text.
    """

    owns: Mapping[object, JsonObject]
    text_ids: frozenset[object]


def _has_place(name: str, value: Any, *, is_result: bool) -> bool:
    """Tell whether a member of a message has a place in the interface."""
    if is_result:
        return name in _WRITTEN_OF_RESULT
    return isinstance(value, _WRITTEN.get(name, ()))


def blocks_of(
    message: JsonObject, unit: Unit | None, place: Place, form: Form, found: Findings, known: Known
) -> list[Written]:
    """Return the blocks of a message at a place, and say what of it or of its unit is not there."""
    if unit is not None and unit.role is None:
        unit = None  # an element that the interface does not know: as if it had been made
    if unit is not None and equal(unit.message, message):
        return [Written(piece.block, piece) for piece in unit.pieces]
    is_result = message.get("role") == "tool"
    for name, value in message.items():
        if value is not None and not _has_place(name, value, is_result=is_result):
            found.add((*place, name), "not_written")
    writer = _Writer(str(message["role"]), place, form, found, known)
    if is_result:
        return [writer.result(message, unit)]
    parts = parts_in(message.get("content"))
    calls = list_in(message, "tool_calls")
    before = [] if unit is None else calls_in(unit.message)
    mates = _mates(before, calls)
    written: list[Written] = []
    done = number = 0
    for piece in [] if unit is None else unit.pieces:
        if is_call(piece.block, writer.role, form):
            at = mates[number]
            number += 1
            made = [] if at is None else [*writer.call(calls[at], at, piece)]
        else:
            part = part_of(piece.block, form, of_assistant=writer.role == "assistant")
            at = next((n for n in range(done, len(parts)) if equal(parts[n], part)), None)
            if at is not None:
                written += writer.parts(parts, done, at)
                done = at + 1
            made = [] if at is None else [Written(piece.block, piece)]
        if not made:
            report_gone(piece, writer.role, form, found)
        written += made
    written += writer.parts(parts, done, len(parts))
    for at, call in enumerate(calls):
        if at not in mates:
            written += writer.call(call, at)
    return written


def report_gone(piece: Piece, role: str, form: Form, found: Findings) -> None:
    """Say of a piece that is gone whether it held what the contracts have no place for."""
    block = piece.block
    if not isinstance(block, dict):
        return
    again: object
    if is_call(block, role, form):
        again = call_block(call_of(block, form), form, own_of(block, form))
    elif role == "tool":
        again = {name: block[name] for name in block if name in ("type", *form["result"].values())}
    else:
        again = block_of(part_of(block, form, of_assistant=role == "assistant"), form, role)
    if not equal(again, block):
        found.add(place_of(piece, form), "carried_removed")


def place_of(piece: Piece, form: Form) -> Place:
    """Return where a piece stands in what is carried."""
    if piece.home < 0:
        home: Place = ("carried", form["system"])
    else:
        home = ("carried", form["messages"], piece.home)
        if piece.at is not None or piece.is_content:
            home = (*home, "content")
    return home if piece.at is None else (*home, piece.at)


def _mates(before: Sequence[Any], calls: Sequence[Any]) -> list[int | None]:
    """Return for each old call the position of the one that it became: the first with its id, or
    where there are as many, the one in its place.
    """
    if len(before) == len(calls):
        return list(range(len(calls)))
    places: dict[str | None, deque[int]] = defaultdict(deque)
    for at, call in enumerate(calls):
        places[as_text(id_of(call))].append(at)
    waiting = (places[as_text(call.get("id"))] for call in before)
    return [at.popleft() if at else None for at in waiting]


def name_of(call: object) -> str | None:
    """Return the name of the function of a call."""
    name = function_of(call).get("name")
    return name if isinstance(name, str) else None


@dataclass(frozen=True, slots=True)
class _Writer:
    """Makes the blocks of one message."""

    role: str
    place: Place
    form: Form
    found: Findings
    known: Known

    def parts(self, parts: Sequence[Any], begin: int, end: int) -> Iterator[Written]:
        """Give the blocks of parts that were made."""
        for at in range(begin, end):
            block = block_of(parts[at], self.form, self.role)
            if block is None:
                self.found.add((*self.place, "content", at), "not_written")
            else:
                self._report(unsaid(parts[at], self.form), "content", at)
                yield Written(block)

    def call(self, call: Any, at: int, piece: Piece | None = None) -> Iterator[Written]:
        """Give the block of a call: the old one where nothing changed, with its other members."""
        if piece is not None and equal(call_of(piece.block, self.form), call):
            yield Written(piece.block, piece)
            return
        own = self.known.owns.get(name_of(call))
        if piece is not None:
            own = own_of(piece.block, self.form)
            if not isinstance(own.get(str(self.form["namespace"])), str):
                own["name"] = function_of(call).get("name")
        block = call_block(call, self.form, own)
        if block is None:
            self.found.add((*self.place, "tool_calls", at), "not_written")
            return
        self._report(others_in(call, ("id", "type", "function")), "tool_calls", at)
        function = others_in(call["function"], ("name", "arguments"), ("function",))
        self._report(function, "tool_calls", at)
        yield Written({**(piece.block if piece else {}), **block}, piece)

    def _report(self, unsaid: Iterable[Place], *within: str | int) -> None:
        for place in unsaid:
            self.found.add((*self.place, *within, *place), "not_written")

    def result(self, message: JsonObject, unit: Unit | None) -> Written:
        """Return the block of a result; what stands beside its content, as an error, stays."""
        names, identifier = self.form["result"], message.get("tool_call_id")
        piece, block = None, {}
        kinds = types_of(self.form, "result")
        is_of_text = isinstance(identifier, str) and identifier in self.known.text_ids
        kind = kinds[-1] if is_of_text else kinds[0]
        content, is_same = message.get("content"), False
        if unit is not None:
            piece = unit.pieces[0]
            block = dict(piece.block)
            is_same = block.get("type") == kind and equal(unit.message["content"], content)
        block |= {"type": kind, names["id"]: identifier}
        if not is_same:
            if isinstance(content, list):
                content = [each.block for each in self.parts(content, 0, len(content))]
            block[names["content"]] = content
        return Written(block, piece)
