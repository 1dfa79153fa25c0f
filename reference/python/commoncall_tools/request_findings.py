"""What the command ``check`` finds: a request or a history as it would go out, held to a profile.

Two operations judge it, those that a runtime runs before it sends: `payload.sanitize_history` the
messages, then `payload.sanitize_request` the whole, with the messages that the first one leaves.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from commoncall.diagnosis import diagnose
from commoncall.envelope import Env
from commoncall.levels import LEVELS, Level
from commoncall.payload import OPERATIONS
from commoncall.payload.profile import Profile, profile_of
from commoncall.payload.refusals import refusals_in
from commoncall.payload.schemas import FORMS, judged
from commoncall.places import Found, Place, at, read_pointer

CAPABLE: Final = {"tool_calls_supported": True}
"""A model that takes tools in every way: here the endpoint is judged, and no model."""

_COMMON: Final = {"role", "content", "tool_calls", "tool_call_id", "id", "type", "function"}

Degree = Level | Literal["refused"]
"""The level of a finding; `refused` is an error of the contract, so nothing can be sent."""


class Entry(NamedTuple):
    """A code, its level, and its place as a JSON Pointer into the file; ``why`` says more than the
    meaning of the code does, ``refused`` that the endpoint answers an error, ``refusals`` by which
    names and flags its profile says so, ``said_of`` which keyword or form of a schema it is about,
    ``operation`` which one found it.
    """

    code: str
    level: Degree
    place: str
    why: str = ""
    refused: bool = False
    refusals: Sequence[str] = ()
    said_of: str = ""
    operation: str = "payload.sanitize_request"


class Findings(NamedTuple):
    """What is to be said, and what may be sent: nothing where an entry is refused."""

    entries: list[Entry]
    fixed: Any = None


class _RefusedError(Exception):
    """An operation has no result. ``entry`` says why."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.code)
        self.entry = entry


def check(document: object, flags: Mapping[str, object], *, may_be_empty: bool = False) -> Findings:
    """Judge a request or a history of Chat Completions.

    Args:
        document: any JSON. An object is a request, a list is a history.
        flags: the profile of the endpoint that it goes to.
        may_be_empty: the endpoint has messages of its own.
    """
    if isinstance(document, dict):
        found = _request(document, flags)
        if may_be_empty or found.fixed is None or found.fixed["messages"]:
            return found
        why = "no message of it can be sent" if document["messages"] else "it has no message"
        emptied = Entry(
            "history_emptied", "refused", "/messages", why, refused=True, operation="turn.prepare"
        )
        return Findings([*found.entries, emptied])
    if not isinstance(document, list):
        return Findings([refused_input("it must be a request, or the list of its messages")])
    found = check({"messages": document}, flags)
    entries = [each._replace(place=each.place.removeprefix("/messages")) for each in found.entries]
    return Findings(entries, found.fixed and found.fixed["messages"])


def refused_input(why: str, place: str = "") -> Entry:
    """Return what is said of an input that no operation takes."""
    return Entry("invalid_input", "refused", place, why, refused=True)


def _request(request: Mapping[str, object], flags: Mapping[str, object]) -> Findings:
    whole = {"capability": CAPABLE, "profile": flags}
    past: dict[str, object] = {"disposition": "answer", "profile": flags}
    if "messages" in request:
        past["messages"] = request["messages"]
    try:
        # First as it is given: by its other members it may say that it is no such request.
        _result("payload.sanitize_request", {**whole, "request": request}, "/request")
        history = _result("payload.sanitize_history", past, "")
        clean = {**request, "messages": history["messages"]}
        found = _result("payload.sanitize_request", {**whole, "request": clean}, "/request")
    except _RefusedError as refused:
        return Findings([refused.entry])
    names_of = refusals_in(request, profile_of(flags))
    entries = []
    for entry in (*_entries(found, "/request"), *_entries(history, "")):
        place = _place(entry.place, request)
        names = names_of(Found(place, entry.code))
        entries.append(entry._replace(refusals=names, said_of=_said_of(entry.code, place, request)))
    return Findings(entries, found["request"])


def _result(operation: str, given: Mapping[str, object], above: str) -> Mapping[str, Any]:
    """Run an operation. ``above`` is the place in its input where the file stands.

    Raises:
        _RefusedError: it has an error and no result.
    """
    outcome = OPERATIONS[operation](given, Env())
    if "result" in outcome:
        return outcome["result"]
    error: Mapping[str, Any] = {**outcome["error"]}
    why = f"it has the form of {error['form']}" if "form" in error else ""
    if error["code"] == "invalid_input":
        why = diagnose(operation, given) or ""
    place = error.get("path", above).removeprefix(above)
    raise _RefusedError(Entry(error["code"], "refused", place, why, True, operation=operation))


def _said_of(code: str, place: Place, request: Mapping[str, Any]) -> str:
    """Return the keyword or the form of a schema that a finding is about, or ""."""
    if code == "schema_not_taken":
        _, tool, _, _, *below = place
        parameters = request["tools"][tool]["function"]["parameters"]
        for form in FORMS:
            faults = judged(parameters, Profile(refused_in_schemas=frozenset({form}))).faults
            if any(found.place == (*below,) for found in faults.found):
                return form
    if code == "type_moved":
        return "type_list" if isinstance(at(request, place), list) else "type_beside_any_of"
    if code == "schema_respelled":
        if place[-1] in ("$ref", "definitions"):
            return "ref_siblings"
        said = {bool: "boolean", str: "const"}
        return said.get(type(at(request, place)), "array_without_items")
    if code == "strict_not_taken":
        return "strict_open" if at(request, place) is True else "strict"
    if code == "members_unknown":
        members = at(request, place)
        unknown = [*members.keys() - _COMMON] if isinstance(members, dict) else []
        return min(unknown, default="")
    return str(place[-1]) if code in ("annotation_removed", "constraint_removed") else ""


def _place(pointer: str, document: Any) -> Place:
    """Return the names and positions of a JSON Pointer into a document."""
    place: list[str | int] = []
    for name in read_pointer(pointer):
        step: str | int = int(name) if isinstance(document, list) else name
        place.append(step)
        try:
            document = document[step]
        except (LookupError, TypeError):
            document = None
    return tuple(place)


def _entries(result: Mapping[str, Any], above: str) -> Iterator[Entry]:
    for finding in result["findings"]:
        code, place = finding["code"], finding["path"].removeprefix(above)
        yield Entry(code, LEVELS[code], place, refused="refused" in finding)
