"""What `check` finds in a request of another interface, at the places that it has in the file."""

from collections.abc import Callable, Mapping
from typing import Any, cast, get_args

from commoncall import interface as interfaces
from commoncall.interface import Interface
from commoncall.interface.blocks import type_of
from commoncall.interface.foreign import chat_sign
from commoncall.interface.table import FLAT, FORMS, Form, history_member, types_of
from commoncall.interface.tools import functions_of
from commoncall.interface.units import units_of
from commoncall.levels import LEVELS
from commoncall.payload.foreign_form import ForeignFormError, refuse_foreign_request
from commoncall.payload.messages import without
from commoncall.places import pointer
from commoncall_tools.request_findings import Entry, Findings, check, refused_input

_HELD = ("previous_response_id", "conversation", "prompt")
"""Where Responses has messages that the request need not hold."""


_ANSWERS = {
    "arguments_coerced": "cannot unmarshal string into Go struct field "
    "ChatRequest.messages.tool_calls.function.arguments (aliasrobotics/cai#76)",
    "content_coerced": "cannot unmarshal array into Go struct field ChatRequest.messages.content "
    "of type string (BerriAI/litellm#11273)",
    "annotation_removed": "A maximum of 4 blocks with cache_control may be provided "
    "(vellum-ai/vellum-assistant#18023)",
    "id_replaced": "Unexpected tool call id in tool results (onyx-dot-app/onyx#8522)",
    "signature_empty": "Invalid `signature` in `thinking` block "
    "(anthropics/anthropic-sdk-csharp#126)",
    "thinking_disabled": "Expected `thinking` or `redacted_thinking` where the turn that goes on "
    "begins (Kilo-Org/kilocode#5219)",
    "text_blank": "text content blocks must be non-empty (anthropics/claude-code#59812)",
    "opaque_removed": "thoughts and results of the provider's own tools are refused without what "
    "stood beside them (anthropics/claude-code#56515, continuedev/continue#10018)",
}
"""What the providers answer to what `interface.read` and `interface.write` mend."""


def interface_of(document: object, profile: str | None) -> Interface | None:
    """Return the interface of a request or a history: that of the profile, or what signs say."""
    if profile in get_args(Interface):
        return cast(Interface, profile)
    request = {"messages": document} if isinstance(document, list) else document
    try:
        refuse_foreign_request(request, takes_tools=True)
    except ForeignFormError as foreign:
        form = dict(foreign.error).get("form")
        return cast(Interface, form) if form in get_args(Interface) else None
    return None


def check_native(document: object, interface: Interface, flags: Mapping[str, object]) -> Findings:
    """Judge a request or a history of an interface, as it would go out."""
    name = history_member(interface)
    if isinstance(document, list):
        found = check_native({name: document}, interface, flags)
        entries = [
            each._replace(place=each.place.removeprefix(f"/{name}")) for each in found.entries
        ]
        return Findings(entries, found.fixed and found.fixed[name])
    if not isinstance(document, dict):
        return check(document, flags)
    if interface in FORMS and (sign := chat_sign(document)):
        return Findings([refused_input("it has the form of Chat Completions", pointer(sign))])
    is_held = any(document.get(name) is not None for name in _HELD)
    has_items = interface in FORMS and FORMS[interface]["has_items"]
    if fault := _fault_of_history(document, name, is_held, has_items=has_items):
        return Findings([refused_input(fault)])
    read = interfaces.read(interface, document)
    found = check({"messages": [], **read["request"]}, flags, may_be_empty=is_held)
    at = _place_in_flat if interface in FLAT else _places(document, FORMS[interface])
    entries = [each._replace(place=at(each.place)) for each in found.entries]
    if not isinstance(found.fixed, dict):
        return Findings(entries)
    for each in read["findings"]:
        entries.append(_told(each["code"], each["path"].removeprefix("/request"), "interface.read"))
    written = interfaces.write(interface, found.fixed, read["carried"])
    for each in written["findings"]:
        path = each["path"]
        # What was made for the request that is sent has no place in the file.
        place = path.removeprefix("/carried") if path.startswith("/carried") else ""
        entries.append(_told(each["code"], place, "interface.write"))
    sent = written["request"]
    return Findings(entries, sent if name in document else without(sent, name))


def _told(code: str, place: str, operation: str) -> Entry:
    why = _ANSWERS.get(code, "")
    return Entry(code, LEVELS[code], place, why, bool(why), operation=operation)


def _fault_of_history(request: dict[str, Any], name: str, is_held: bool, *, has_items: bool) -> str:
    """Return what is wrong with a request in which no history can be read, or ""."""
    history = request.get(name)
    if isinstance(history, (list, str) if has_items else list) or (name not in request and is_held):
        return ""
    if name in request:
        return f"{name} must be {'a text or an array of items' if has_items else 'an array'}"
    return f"{name} is missing" + (", and messages is there" if "messages" in request else "")


def _place_in_flat(place: str) -> str:
    """Return the message, or the call, of a place: what stands in it has other names."""
    parts = place.split("/")
    if parts[1:2] != ["messages"]:
        return place
    return "/".join(parts[: 5 if parts[3:4] == ["tool_calls"] else 3])


def _places(request: dict[str, Any], form: Form) -> Callable[[str], str]:
    """Return what gives the place in the file of a place in the form of the contracts."""
    _, units = units_of(request, form)
    tools = [pointer(place) for *_, place in functions_of(request, form)]

    def place_of(place: str) -> str:
        _, *parts = place.split("/")
        if len(parts) > 1 and parts[0] == "messages" and int(parts[1]) < len(units):
            pieces = units[int(parts[1])].pieces
            calls = [one for one in pieces if type_of(one.block) in types_of(form, "call")]
            of_call = parts[2:3] == ["tool_calls"] and len(parts) > 3
            piece = calls[int(parts[3])] if of_call else pieces[0]
            if piece.home < 0:
                return f"/{form['system']}"
            whole = isinstance(request.get(form["messages"]), str)
            return f"/{form['messages']}" + ("" if whole else f"/{piece.home}")
        if parts == ["messages"]:
            return f"/{form['messages']}"
        if len(parts) > 1 and parts[0] == "tools" and int(parts[1]) < len(tools):
            return tools[int(parts[1])]
        return f"/{parts[0]}" if parts and parts[0] in request else ""

    return place_of
