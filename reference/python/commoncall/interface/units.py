"""The messages and items of an interface as units: what one message of the contracts stands for.

Holds the definition "unit" of spec/v1/interfaces.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from commoncall.interface.blocks import call_of, content_of, part_of, result_content, type_of
from commoncall.interface.table import Form, JsonObject, types_of
from commoncall.json_text import as_text

SYSTEM_MEMBER = -1
"""Where the system text stands that has a member of its own in the request."""


PAST_MEMBERS = ("previous_response_id", "conversation")
"""The members that name what the provider itself holds of the history."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A block, the position of the message or the item it is in, and its own position there.

    A content that is no array is one piece without a position, and so is an item.
    """

    block: Any
    home: int
    at: int | None = None
    is_content: bool = False


@dataclass(slots=True)
class Unit:
    """The pieces that one message of the contracts stands for, and that message; without a role it
    is an element of the history as it is.
    """

    role: str | None
    pieces: list[Piece] = field(default_factory=list)
    message: Any = None


def units_of(request: JsonObject, form: Form) -> tuple[list[Any], list[Unit]]:
    """Return the messages of a request as it has them, and their units with their messages.

    Where the provider holds what stood before, results without their calls are no results here:
    nobody may take them for orphans (ITF-002).
    """
    given = request.get(form["messages"])
    natives: list[Any] = [{"role": "user", "content": given}] if isinstance(given, str) else []
    natives = natives or (given if isinstance(given, list) else [])
    units: list[Unit] = []
    system = request.get(form["system"])
    if system is not None:
        _add_said({"role": "system", "content": system}, SYSTEM_MEMBER, units, form)
    for at, native in enumerate(natives):
        if not isinstance(native, dict):
            units.append(Unit(None, [Piece(native, at)], native))
        elif form["has_items"] and type_of(native) not in (None, "message"):
            _add(Piece(native, at), role_of_item(native, form), units, form)
        else:
            _add_said(native, at, units, form)
    if any(request.get(name) is not None for name in PAST_MEMBERS):
        units = _without_held(units, form)
    for unit in units:
        if unit.role is not None and unit.message is None:
            unit.message = message_of(unit, form)
    return natives, units


def message_of(unit: Unit, form: Form) -> Any:
    """Return the message of a unit in the form of the contracts."""
    if unit.role == "tool":
        block = unit.pieces[0].block
        result = {"role": "tool", "content": result_content(block, form)}
        identifier = block.get(form["result"]["id"])
        return result if identifier is None else {**result, "tool_call_id": identifier}
    blocks = [piece.block for piece in unit.pieces]
    of_assistant = unit.role == "assistant"
    calls = [call_of(block, form) for block in blocks if is_call(block, unit.role, form)]
    parts = [
        part_of(block, form, of_assistant=of_assistant)
        for block in blocks
        if not is_call(block, unit.role, form)
    ]
    message = {"role": unit.role, "content": content_of(parts, None)}
    return {**message, "tool_calls": calls} if calls else message


def is_call(block: object, role: str | None, form: Form) -> bool:
    """Tell whether a block of a unit is a call."""
    return role == "assistant" and type_of(block) in types_of(form, "call")


def _add_said(native: JsonObject, home: int, units: list[Unit], form: Form) -> None:
    """Add a message with a role: a unit for each result in it, and for what is between them."""
    role, content = native.get("role"), native.get("content")
    if not isinstance(role, str) or role == "tool":
        units.append(Unit(None, [Piece(native, home)], native))
        return
    if isinstance(content, str):
        _add(Piece(content, home), role, units, form)
        return
    if not isinstance(content, list) or not content:
        message = {name: native[name] for name in ("role", "content") if name in native}
        units.append(Unit(role, [Piece(content, home, is_content=True)], message))
        return
    for at, block in enumerate(content):
        is_result = role == "user" and type_of(block) == form["result"]["type"]
        _add(Piece(block, home, at), "tool" if is_result else role, units, form)


def _add(piece: Piece, role: str, units: list[Unit], form: Form) -> None:
    """Add a piece to the last unit, if that is a run which it goes on with, or to a new one."""
    last = units[-1] if units else None
    across_homes = form["has_items"] and role == "assistant"
    if (
        last is not None
        and last.message is None  # a content that is no block has its message already
        and last.role == role != "tool"
        and (across_homes or last.pieces[0].home == piece.home)
    ):
        last.pieces.append(piece)
    else:
        units.append(Unit(role, [piece]))


def role_of_item(item: object, form: Form) -> str:
    """Return whose an item is that has no role."""
    kind = type_of(item)
    if kind in types_of(form, "result"):
        return "tool"
    # What the client gives back beside results of functions: outputs, and approvals.
    of_user = isinstance(kind, str) and kind.endswith(("_output", "_response"))
    # An agent message is said by another agent, to the one that the request is for.
    return "user" if of_user or kind == "agent_message" else "assistant"


def _without_held(units: Sequence[Unit], form: Form) -> list[Unit]:
    """Return units in which results without their calls are blocks of the user."""
    known = {as_text(call.get(form["call"]["id"])) for call in _calls(units, form)} - {None}
    kept: list[Unit] = []
    for unit in units:
        if unit.role is None or unit.message is not None:
            kept.append(unit)
            continue
        for piece in unit.pieces:
            role = unit.role
            if role == "tool" and as_text(piece.block.get(form["result"]["id"])) not in known:
                role = "user"
            _add(piece, role, kept, form)
    return kept


def _calls(units: Sequence[Unit], form: Form) -> Iterator[JsonObject]:
    for unit in units:
        for piece in unit.pieces:
            if is_call(piece.block, unit.role, form):
                yield piece.block
