"""A request of an interface in the form of the contracts, and what is carried beside it.

Holds `read`, the definition "carried", ITF-002, ITF-003, ITF-008, ITF-009 and ITF-047 of
spec/v1/interfaces.md.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Final, TypedDict

from commoncall.envelope import MARK, Finding
from commoncall.interface.blocks import list_in, type_of
from commoncall.interface.flat import flat_messages, unmarked
from commoncall.interface.table import FLAT, FORMS, Flat, Form, Interface, JsonObject
from commoncall.interface.tools import read_tools
from commoncall.interface.units import units_of
from commoncall.places import Findings, Place


class ReadRequest(TypedDict):
    """A request in the form of the contracts, and what `write` needs beside it."""

    request: JsonObject
    carried: JsonObject
    findings: list[Finding]


def read(
    interface: Interface, request: JsonObject, *, origin: Mapping[str, str] | None = None
) -> ReadRequest:
    """Read a request of an interface; nothing of it is lost, and `write` gives it back.

    Args:
        interface: the name of its table.
        request: the request as the interface has it.
        origin: where it goes: signed thoughts of another origin are left out. None: all stay.
    """
    if flat := FLAT.get(interface):
        return _read_flat(request, flat)
    form, found = FORMS[interface], Findings()
    request = _with_few_marks(_from_here(request, origin, form, found), form, found)
    _, units = units_of(request, form)
    tools, stood = read_tools(request, form)
    said = (form["messages"], form["system"]) if units else ()
    taken = [name for name in (*said, *stood) if request.get(name) is not None]
    members: JsonObject = {name: request[name] for name in request if name not in taken}
    if units or isinstance(request.get(form["messages"]), list):
        members["messages"] = [unit.message for unit in units]
    carried = {name: request[name] for name in taken}
    return {"request": {**members, **tools}, "carried": carried, "findings": found.rendered()}


def _read_flat(request: JsonObject, flat: Flat) -> ReadRequest:
    natives = request.get(flat["messages"])
    if not isinstance(natives, list):
        return {"request": request, "carried": {}, "findings": []}
    sent = [unmarked(native) for native in natives]
    members: JsonObject = {**request, "messages": flat_messages(sent, flat)}
    carried: JsonObject = {flat["messages"]: sent} if sent else {}
    return {"request": members, "carried": carried, "findings": []}


def _from_here(
    request: JsonObject, origin: Mapping[str, str] | None, form: Form, found: Findings
) -> JsonObject:
    """Return a request without marks of stores, and without what no endpoint can read (ITF-008).

    A turn that does not begin with a thought goes on without: the model does not think in it.
    """
    natives = request.get(form["messages"])
    if not isinstance(natives, list):
        return request
    sent: list[Any] = []
    for at, native in enumerate(natives):
        kept = unmarked(native)
        elsewhere = _is_marked(native) and origin is not None and native[MARK] != origin
        place = ("request", form["messages"], at)
        if isinstance(kept, dict):
            kept = _signed(kept, place, form, found, elsewhere=elsewhere)
        if kept is not None or native is None:
            sent.append(kept)
    request = {**request, form["messages"]: sent}
    if type_of(request.get("thinking")) == "enabled" and _begins_without_thought(sent, form):
        found.add(("request", "thinking"), "thinking_disabled")
        # Some endpoints think where nobody says that they do not.
        return {**request, "thinking": {"type": "disabled"}}
    return request


def _begins_without_thought(natives: Sequence[Any], form: Form) -> bool:
    """Tell whether the turn that goes on began with something else than a thought (ITF-009)."""
    first = None
    for native in reversed(natives):
        role = native.get("role") if isinstance(native, dict) else None
        if role == "assistant":
            first = native
        elif not (role == "system" or _answers(native, form)):
            break
    if first is None or form["has_items"]:
        return False
    begin = list_in(first, "content")[:1]
    return not any(type_of(block) in form["signed"] for block in begin)


def _is_marked(native: object) -> bool:
    return isinstance(native, dict) and MARK in native


def _answers(native: object, form: Form) -> bool:
    """Tell whether a message goes on with the turn before it: it holds results alone."""
    content = native.get("content") if isinstance(native, dict) else None
    kind = form["result"]["type"]
    return isinstance(content, list) and all(type_of(block) == kind for block in content)


def _signed(
    native: JsonObject, place: Place, form: Form, found: Findings, *, elsewhere: bool
) -> JsonObject | None:
    """Return an element without what its endpoint cannot read: what was signed elsewhere, and
    thoughts that nobody signed; None where all of it is that.
    """

    def goes(block: Any) -> bool:
        signature = _signature_of(block, form)
        is_unsigned = signature is not None and block.get(signature) is None
        return is_unsigned or (elsewhere and type_of(block) in form["signed"])

    content = native.get("content")
    if elsewhere and native.get("type") in form["signed"]:
        found.add(place, "opaque_removed")
        return None
    if elsewhere:
        # An id of the provider's own store, which ties the item to the thoughts before it.
        native = {name: value for name, value in native.items() if name != "id"}
    if not isinstance(content, list):
        return native
    left = []
    for at, block in enumerate(content):
        if goes(block):
            found.add((*place, "content", at), "opaque_removed")
            continue
        left.append(block)
        signature = _signature_of(block, form)
        if signature is not None and block[signature] == "":
            found.add((*place, "content", at, signature), "signature_empty")
    return {**native, "content": left}


def _signature_of(block: Any, form: Form) -> str | None:
    """Return the member that a block has to be signed in; None for what nobody signs."""
    kind = type_of(block)
    return form["signatures"].get(kind) if isinstance(kind, str) else None


CACHE_MARK: Final = "cache_control"


def _with_few_marks(request: JsonObject, form: Form, found: Findings) -> JsonObject:
    """Return a request with no more marks of the cache than are taken: the last ones (ITF-047)."""
    most, names = form["most_marks"], (form["messages"], form["system"], "tools")
    if most is None:
        return request
    listed = {name: one for name in names if isinstance(one := request.get(name), list)}
    places = [place for name, one in listed.items() for place in _marks(one, (name,))]
    own = request.get(CACHE_MARK) is not None  # which is one, too, and the last one
    gone = set(places[: max(len(places) + own - most, 0)])
    for place in gone:
        found.add(("request", *place, CACHE_MARK), "annotation_removed")
    return {**request, **{name: _without_marks(one, (name,), gone) for name, one in listed.items()}}


def _marks(value: Any, place: Place) -> Iterator[Place]:
    """Yield the places of what is marked, from the front on."""
    if isinstance(value, list):
        for at, one in enumerate(value):
            yield from _marks(one, (*place, at))
    elif isinstance(value, dict):
        if value.get(CACHE_MARK) is not None:
            yield place
        if isinstance(content := value.get("content"), list):
            yield from _marks(content, (*place, "content"))


def _without_marks(value: Any, place: Place, gone: Set[Place]) -> Any:
    """Return a value without the marks at some places."""
    if isinstance(value, list):
        return [_without_marks(one, (*place, at), gone) for at, one in enumerate(value)]
    if not isinstance(value, dict):
        return value
    kept = {name: one for name, one in value.items() if name != CACHE_MARK or place not in gone}
    if isinstance(content := kept.get("content"), list):
        kept["content"] = _without_marks(content, (*place, "content"), gone)
    return kept
