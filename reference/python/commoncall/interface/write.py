"""A request in the form of the contracts as an interface has it.

Holds `write`, ITF-011, ITF-015, ITF-016, ITF-019, ITF-042 and ITF-043 of spec/v1/interfaces.md.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final, TypedDict

from commoncall.envelope import Finding
from commoncall.interface.aligned import aligned, calls_in
from commoncall.interface.blocks import is_of_text, others_in, type_of
from commoncall.interface.flat import written_messages
from commoncall.interface.joined import as_block, is_whole, joined
from commoncall.interface.table import FLAT, FORMS, Flat, Form, Interface, JsonObject
from commoncall.interface.tools import BESIDE_TOOLS, PARALLEL_CALLS, owns_of, written_tools
from commoncall.interface.units import PAST_MEMBERS, SYSTEM_MEMBER, Unit, units_of
from commoncall.interface.written import Known, Written, blocks_of, name_of, place_of, report_gone
from commoncall.json_text import equal, is_blank
from commoncall.places import Findings, Place


class WrittenRequest(TypedDict):
    """A request as the interface has it, and what of it and of what is carried is not there."""

    request: JsonObject
    findings: list[Finding]


def write(
    interface: Interface, request: JsonObject, carried: JsonObject | None = None
) -> WrittenRequest:
    """Write a request in the form of an interface.

    Args:
        interface: the name of its table.
        request: the request in the form of the contracts.
        carried: what `read` gave beside it: it goes back where its message is still there. None:
            the request was not read here.
    """
    found, given = Findings(), carried or {}
    if flat := FLAT.get(interface):
        return _write_flat(request, given, flat, found)
    form = FORMS[interface]
    natives, units = units_of({**given, **_past(request)}, form)
    messages = request.get("messages")
    owns = owns_of(given, (piece.block for unit in units for piece in unit.pieces), form)
    tools, items = written_tools(request, given, form, owns, found)
    written = {name: value for name, value in request.items() if name not in BESIDE_TOOLS}
    sources: list[Unit | None] = []
    said: list[tuple[str | None, list[Written]]] = []
    if isinstance(messages, list):
        del written["messages"]
        sources = aligned(units, messages)
        known = _known(owns, messages, form)
        said = [
            (role_of(message, form), _blocks(message, sources[at], at, form, found, known))
            for at, message in enumerate(messages)
        ]
        said = [(role, [_brought(one, items) for one in blocks]) for role, blocks in said]
        _drop_ends(said, messages, form, found)
        is_kept = request.get("store") is not False
        sent, top = joined(said, natives, form, found, is_kept=is_kept)
        if top:
            written[form["system"]] = top[0] if len(top) == 1 else _as_one(top)
        if form["messages"] in given and equal(sent, natives):
            written[form["messages"]] = given[form["messages"]]
        elif sent or form["messages"] in given or form["system"] not in given:
            written[form["messages"]] = sent
    _report_lost(units, sources, form, found)
    homes = {one.piece.home for _, blocks in said for one in blocks if one.piece is not None}
    _report_bare(natives, units, homes, form, found)
    return {"request": {**written, **tools}, "findings": found.rendered()}


BESIDE_FLAT: Final = ("tool_choice", PARALLEL_CALLS)
"""What says of tools what Ollama has no place for (ITF-042)."""


def _write_flat(
    request: JsonObject, carried: JsonObject, flat: Flat, found: Findings
) -> WrittenRequest:
    for name, natural in (("tool_choice", "auto"), (PARALLEL_CALLS, True)):
        given = request.get(name)
        if given is not None and not equal(given, natural):
            found.add(("request", name), "not_written")
    written = {name: value for name, value in request.items() if name not in BESIDE_FLAT}
    natives = carried.get(flat["messages"])
    if isinstance(messages := request.get("messages"), list):
        natives = natives if isinstance(natives, list) else []
        written[flat["messages"]] = written_messages(messages, natives, flat, found)
    return {"request": written, "findings": found.rendered()}


def _past(request: JsonObject) -> JsonObject:
    return {name: request[name] for name in PAST_MEMBERS if name in request}


def role_of(message: Any, form: Form) -> str | None:
    """Return the role of a message in the interface; None for what is no message."""
    role = message.get("role") if isinstance(message, dict) else None
    if not isinstance(role, str):
        return None
    if role == "tool":
        return "user"
    return "system" if role == "developer" and not form["has_items"] else role


def _blocks(
    message: Any, source: Unit | None, at: int, form: Form, found: Findings, known: Known
) -> list[Written]:
    """Return the blocks of a message, without blank texts where these are refused (ITF-015)."""
    place: Place = ("request", "messages", at)
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return [Written(message, source.pieces[0] if source else None)]
    sent = []
    for written in blocks_of(message, source, place, form, found, known):
        if _is_blank_text(written.block, form):
            found.add(place, "text_blank")
            if written.piece is not None:
                report_gone(written.piece, message["role"], form, found)
        else:
            sent.append(written)
    return sent


def _brought(written: Written, items: Mapping[int, JsonObject]) -> Written:
    """Return an item that brings tools with those that are still there (ITF-017)."""
    item = None if written.piece is None else items.get(written.piece.home)
    return written if item is None else written._replace(block=item)


def _drop_ends(
    said: Sequence[tuple[str | None, list[Written]]],
    messages: Sequence[Any],
    form: Form,
    found: Findings,
) -> None:
    """Drop results of the provider's tools whose calls are gone, such calls whose results no turn
    brings any more, and thoughts at the end of a message (ITF-016).
    """
    spoken = [(at, blocks) for at, (role, blocks) in enumerate(said) if role == "assistant"]
    ids: set[str] = set()
    for at, blocks in spoken:
        lone = [_is_lone_result(one.block, ids) for one in blocks]
        _drop(blocks, lone, at, form, found)
    if form["has_items"]:
        return
    roles = [one.get("role") if isinstance(one, dict) else None for one in messages]
    last_asked = max((at for at, role in enumerate(roles) if role == "user"), default=-1)
    answered: set[str] = set()  # by what stands behind
    for at, blocks in reversed(spoken):
        lone = [_is_lone_call(one.block, answered) and at < last_asked for one in blocks[::-1]]
        _drop(blocks, lone[::-1], at, form, found)
        said_too = (n for n, one in enumerate(blocks) if type_of(one.block) not in form["signed"])
        end = max(said_too, default=-1)
        _drop(blocks, [number > end for number in range(len(blocks))], at, form, found)


_PAIRED: Final = ("tool_use_id", "id")
"""What a result names, and a call has."""


def _is_lone_result(block: Any, ids: set[str]) -> bool:
    """Tell whether a block is the result of none of the ids before it; add its own."""
    use, id = (block.get(name) if isinstance(block, dict) else None for name in _PAIRED)
    is_lone = isinstance(use, str) and use not in ids
    if isinstance(id, str):
        ids.add(id)
    return is_lone


def _is_lone_call(block: Any, answered: set[str]) -> bool:
    """Tell whether a block is a call of the provider's with none of the ids that are answered
    behind it; add the one that it answers.
    """
    use, id = (block.get(name) if isinstance(block, dict) else None for name in _PAIRED)
    if isinstance(use, str):
        answered.add(use)
    is_call = str(type_of(block)).endswith("_tool_use")
    return is_call and isinstance(id, str) and id not in answered


def _drop(
    blocks: list[Written], goes: Sequence[bool], at: int, form: Form, found: Findings
) -> None:
    for one, is_gone in zip(blocks, goes, strict=True):
        if is_gone:
            place = ("request", "messages", at) if one.piece is None else place_of(one.piece, form)
            found.add(place, "opaque_removed")
    blocks[:] = [one for one, is_gone in zip(blocks, goes, strict=True) if not is_gone]


def _known(owns: Mapping[object, JsonObject], messages: Sequence[Any], form: Form) -> Known:
    """Return what was carried, and which calls of the messages are of tools that take a text."""
    calls = [call for message in messages for call in calls_in(message)]
    ids = (call.get("id") for call in calls if is_of_text(owns.get(name_of(call)), form))
    return Known(owns, frozenset(id for id in ids if isinstance(id, str)))


def _is_blank_text(block: Any, form: Form) -> bool:
    text = block.get("text") if type_of(block) == form["text"]["user"] else block
    return not form["takes_blank_text"] and isinstance(text, str) and is_blank(text)


def _report_lost(
    units: Sequence[Unit], sources: Sequence[Unit | None], form: Form, found: Findings
) -> None:
    """Report what was carried for a message that is gone (ITF-019)."""
    there = {id(source) for source in sources}
    for unit in units:
        if unit.role is not None and id(unit) not in there:
            for piece in unit.pieces:
                report_gone(piece, unit.role, form, found)


def _report_bare(
    natives: Sequence[Any], units: Sequence[Unit], homes: Set[int], form: Form, found: Findings
) -> None:
    """Report messages of which no block is left, where they said more than these (ITF-019)."""
    pieces = (piece for unit in units for piece in unit.pieces)
    before = {piece.home for piece in pieces if not is_whole(piece, natives)}
    for home in before - homes - {SYSTEM_MEMBER}:
        if any(others_in(natives[home], ("type", "role", "content"))):
            found.add(("carried", form["messages"], home), "carried_removed")


def _as_one(contents: Sequence[Any]) -> list[Any]:
    """Return several system texts as the one list that there is a place for."""
    blocks: list[Any] = []
    for content in contents:
        whole = as_block(content, "text")
        blocks += whole if isinstance(whole, list) else [whole]
    return blocks
