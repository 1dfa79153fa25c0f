"""The inbound half of a turn: every call that a message holds is run, or answered.

Holds `receive` and its parts, but for `opaque`: TRN-021 to TRN-037 of spec/v1/turn.md.
"""

import functools
import string
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NotRequired, TypedDict, Unpack

from commoncall.border import what
from commoncall.envelope import EnvExhausted, Finding, RefusedInput
from commoncall.event import ErrorType, Key, PlannedEvent, Recorder
from commoncall.extraction import Extraction, extract
from commoncall.extraction.extract import TextOptions
from commoncall.extraction.parameters import Declared, declared_schemas, decoded
from commoncall.json_text import is_blank
from commoncall.payload import Disposition, sent_name
from commoncall.payload.fixed_texts import INVALID_NAME
from commoncall.payload.messages import id_of, is_visible
from commoncall.payload.profile import GivenProfile, Profile, history_profile_of
from commoncall.payload.tool_call import Demands, demands_of, judge_repaired
from commoncall.places import Findings, Place
from commoncall.stated_capability import choice_word
from commoncall.turn.echo import echoes
from commoncall.turn.names import meant_name
from commoncall.turn.opaque import (
    OpaqueOfCall,
    OpaqueOfMessage,
    hidden_text,
    opaque_of_call,
    opaque_of_message,
)

_NO_REJECTION = {"name_not_sendable", "unclosed"}
"""Codes of segments that do not say that a call was rejected."""

_ATTEMPTS: Final = 10_000
"""How many ids in a row may be blank or taken: who gives more of them gives nothing else."""

_CUT: Final = "tool_payload_truncated"

_UNREADABLE: Final = ("tool_payload_too_large", "tool_payload_parse_error", _CUT)
"""Why a call is answered that nobody could read."""


class InboundPlan(TypedDict):
    """The part of a `Plan` that decides how a message is read."""

    effective: list[str]
    parse_native_calls: bool
    parse_text_calls: bool


class ModelMessage(TypedDict):
    """What a model gave: its text or the parts of it, and the field for native calls, whose
    elements are any JSON. Beside these stand the members that the profile names as opaque.
    """

    text: str | list[object] | None
    tool_calls: list[object] | None
    truncated: NotRequired[bool]
    refusal: NotRequired[str | None]
    function_call: NotRequired[object]


class TurnCall(TypedDict):
    """A call for the history or for dispatch; ``arguments_json`` is what goes on.

    ``opaque`` is there where a call for the history has something opaque.
    """

    seq: int
    id: str
    name: str
    arguments_json: str
    opaque: NotRequired[OpaqueOfCall]


class Answer(TypedDict):
    """A call that is not run, and why."""

    seq: int
    id: str
    error_type: ErrorType


class Received(TypedDict):
    """What is shown, stored, run and answered of a message, and the Planned event of each call.

    ``truncated`` is there where the message was cut off, ``refusal`` where it has one, ``opaque``
    where it has something opaque, and ``origin`` where the profile has one (TRN-035).
    """

    content: str | None
    reasoning: str | None
    truncated: NotRequired[Literal[True]]
    refusal: NotRequired[str]
    opaque: NotRequired[OpaqueOfMessage]
    origin: NotRequired[dict[str, str]]
    calls: list[TurnCall]
    dispatch: list[TurnCall]
    answers: list[Answer]
    planned: list[PlannedEvent]
    unreadable: int
    removed: int
    findings: list[Finding]


class PlanMismatchError(RefusedInput, ValueError):
    """The request that was sent has other tools than the plan (TRN-033)."""


class ReceiveOptions(TextOptions, total=False):
    """How a message is received.

    Attributes:
        request_id: stands in every event.
        disposition: whether an invalid call enters the history without its arguments, or not.
        new_id: gives ids; one that is blank or taken is passed over. By default they have nine
            letters and digits, which every known provider takes as they are.
        request: the request as it was sent, with the tools of the plan, and with what the model
            may only repeat (TRN-024). None: not known.
        aliases: what `prepare` said: the original of each name that was changed.
        key: makes the hashes of the events HMAC-SHA-256.
        profile: as for `prepare`: what is opaque, and where it came from. None: nothing is.
    """

    request_id: str
    disposition: Disposition
    new_id: Callable[[], str]
    request: object
    aliases: Mapping[str, str] | None
    key: Key | None
    profile: GivenProfile | None


@dataclass(frozen=True, slots=True)
class _ReadCall:
    """A call as it was read; None is what could not be had.

    ``error_type`` is why extraction could not read it, that it was cut off or is an echo.
    """

    id: str
    name: str | None
    arguments_json: str | None
    error_type: ErrorType | None = None
    opaque: OpaqueOfCall = field(default_factory=OpaqueOfCall)


def short_id() -> str:
    """Return a random id in the one form that every provider takes: nine letters and digits."""
    import secrets  # which is slow to import, and few messages need ids

    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(9))


def receive(
    plan: InboundPlan,
    message: ModelMessage | Mapping[str, Any],
    *,
    request_id: str,
    disposition: Disposition,
    new_id: Callable[[], str] = short_id,
    request: object = None,
    aliases: Mapping[str, str] | None = None,
    key: Key | None = None,
    profile: GivenProfile | None = None,
    **text_options: Unpack[TextOptions],
) -> Received:
    """Read the message that a model gave in a turn with a plan, as JSON.

    Raises:
        EnvExhausted: ``new_id`` gives nothing but ids that are blank or taken (TRN-021).
        TypeError: ``new_id`` gives what is no text. The other errors are those of `turn.reply`.
    """
    flags = history_profile_of(profile)
    aliases = aliases or {}
    if request is not None and not has_tools_of(request, plan, aliases):
        raise PlanMismatchError({"code": "plan_mismatch"})
    findings = Findings()
    text, refusal, opaque = opaque_of_message(message, flags, findings)
    if message.get("function_call") is not None:
        findings.add(("message", "function_call"), "function_call_removed")
    read_as = with_tools(text_options, request, aliases)
    # Asked for a message without a text, too: what is wrong with an option is said at once. Which
    # ids the calls get is decided with the native ones.
    effective = plan["effective"] if plan["parse_text_calls"] else []
    read = functools.partial(extract, effective=effective, new_id=lambda: "")
    native_calls = plan["parse_native_calls"] and bool(message["tool_calls"])
    extraction = read(text or "", native_calls=native_calls, **read_as)
    found, member = extraction, "text"
    if hidden := hidden_text(message, text, refusal):
        words, member = hidden
        in_reasoning: TextOptions = {**read_as, "reasoning": "open"}
        found = read(words, **in_reasoning)
    known = read_as.get("tools", ())
    tools = tools_by_name(known)
    demands = functools.cache(lambda name: demands_of(tools.get(name)))
    truncated = message.get("truncated") is True
    judge = _Judge(
        aliases,
        frozenset(plan["effective"]),
        demands,
        functools.cache(lambda: declared_schemas(known)),
        truncated,
        flags,
        findings,
    )
    calls = _calls(plan, message, request, found, new_id, judge)
    codes = {code for segment in found["segments"] for code in segment.get("codes", ())}
    if not codes <= _NO_REJECTION:
        findings.add(("message", member), "text_call_rejected")

    # Under `none` the model may still see the tools, and calls them (TRN-024).
    runnable = [] if calls_none(request) else plan["effective"]
    recorder = Recorder(request_id, effective=runnable, key=key)
    dispatch, answers = _planned(calls, recorder, aliases)
    received: Received = {
        "content": None if text is None else extraction["content"],
        "reasoning": extraction["reasoning"],
        "calls": _for_history(calls, disposition),
        "dispatch": dispatch,
        "answers": answers,
        "planned": [event for event in recorder.events if event["type"] == "ToolCallPlanned"],
        "unreadable": sum(answer["error_type"] in _UNREADABLE for answer in answers),
        "removed": found.get("removed", 0),
        "findings": findings.rendered(),
    }
    if truncated:
        received["truncated"] = True
    if refusal:
        received["refusal"] = refusal
    if opaque:
        received["opaque"] = opaque
    if flags.origin is not None:
        received["origin"] = dict(flags.origin)
    return received


def _planned(
    calls: Sequence[_ReadCall], recorder: Recorder, aliases: Mapping[str, str]
) -> tuple[list[TurnCall], list[Answer]]:
    """Record that each call was seen, and return those to run and those that are answered."""
    dispatch: list[TurnCall] = []
    answers: list[Answer] = []
    for call in calls:
        name = None if call.name is None else aliases.get(call.name, call.name)
        judged = recorder.planned(
            name=name,
            arguments_json=call.arguments_json,
            error_type=call.error_type,
            tool_call_id=call.id,
        )
        if judged.error_type is not None:
            answers.append({"seq": judged.seq, "id": call.id, "error_type": judged.error_type})
            continue
        # What passed every check of the recorder has a name and arguments that were read.
        assert name is not None
        assert call.arguments_json is not None
        dispatch.append(_turn_call(judged.seq, call.id, name, call.arguments_json))
    return dispatch, answers


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges calls; ``demands`` gives those of the tool with a name, ``declared`` all schemas."""

    aliases: Mapping[str, str]
    effective: Set[str]
    demands: Callable[[str | None], Demands]
    declared: Callable[[], Declared]
    truncated: bool
    profile: Profile
    findings: Findings

    def read(self, number: int, entry: object, identifier: str) -> _ReadCall:
        """Judge a native call (TRN-030, TRN-037), and keep what is opaque in it (TRN-035)."""
        place: Place = ("message", "tool_calls", number)
        name = _function_name(entry)
        meant = None if name is None else meant_name(name, self.effective, self.aliases)
        tool = None if meant is None else self._tool(meant)
        check = judge_repaired(entry, self.truncated, self.demands(tool))
        self.findings.extend(check["findings"], below=place)
        if isinstance(entry, dict) and entry.get("id") != identifier:
            self.findings.add((*place, "id"), "id_replaced")
        opaque = opaque_of_call(entry, self.profile, place, self.findings)
        is_cut = any(found.code == "arguments_truncated" for found in check["findings"])
        error: ErrorType | None = _CUT if is_cut else None
        called = None if check["name"] is None else meant
        if called != check["name"]:
            self.findings.add((*place, "function", "name"), "name_repaired")
        call = _ReadCall(identifier, called, check["arguments_json"], error, opaque)
        if (read := self.decoded(call)) is not call:
            self.findings.add((*place, "function", "arguments"), "arguments_decoded")
        return read

    def decoded(self, call: _ReadCall) -> _ReadCall:
        """Return a call with its encoded arguments decoded (TRN-038)."""
        if call.name is None or call.arguments_json is None:
            return call
        schemas = self.declared().get(self._tool(call.name))
        text = decoded(call.arguments_json, schemas) if schemas else None
        return replace(call, arguments_json=text) if text else call

    def _tool(self, name: str) -> str:
        """Return the runtime name of a call."""
        return self.aliases.get(name, name)


def _calls(
    plan: InboundPlan,
    message: ModelMessage | Mapping[str, Any],
    request: object,
    extraction: Extraction,
    new_id: Callable[[], str],
    judge: _Judge,
) -> list[_ReadCall]:
    """Return the calls of the message (definition "call of the message"), each with its id."""
    entries = message["tool_calls"] or []
    wanted = plan["parse_native_calls"] and bool(plan["effective"])
    own = _own_ids(entries)
    fresh_id = _fresh(new_id, own)
    if entries and wanted:
        return [
            judge.read(number, entry, own.get(number) or fresh_id())
            for number, entry in enumerate(entries)
        ]
    if entries:
        # Whoever did not ask for calls there has the text read all the same (TRN-024).
        judge.findings.add(("message", "tool_calls"), "native_calls_unsolicited")
    read = _of_text(extraction, echoes(extraction, request), fresh_id)
    of_text = [judge.decoded(call) for call in read]
    if not judge.truncated:
        return of_text
    # Native calls may have been to come, and beside them a call in the text is an example.
    return [_cut_off(call) if wanted or call.error_type else call for call in of_text]


def _own_ids(entries: Sequence[object]) -> dict[int, str]:
    """Return the ids that native calls keep, by position: each the first of its kind."""
    first: dict[str, int] = {}
    for number, given in enumerate(map(id_of, entries)):
        if is_visible(given):
            first.setdefault(given, number)
    return {number: given for given, number in first.items()}


def _fresh(new_id: Callable[[], str], own: Mapping[int, str]) -> Callable[[], str]:
    """Return a source of ids that no call of the message has (definition "own id")."""
    taken = set(own.values())

    def fresh_id() -> str:
        for _ in range(_ATTEMPTS):
            identifier = new_id()
            if not isinstance(identifier, str):
                raise TypeError(f"new_id gave {what(identifier)}, and no text")
            if not is_blank(identifier) and identifier not in taken:
                taken.add(identifier)
                return identifier
        raise EnvExhausted(f"new_id gave {_ATTEMPTS} ids in a row that are blank or taken")

    return fresh_id


def has_tools_of(request: object, plan: InboundPlan, aliases: Mapping[str, str]) -> bool:
    """Tell whether the tools of a request that was sent are those of the plan (TRN-033)."""
    members = request if isinstance(request, dict) else {}
    tools, functions = members.get("tools"), members.get("functions")
    if isinstance(functions, list) and functions:
        return False
    sent = [_function_name(tool) for tool in tools] if isinstance(tools, list) else []
    if not plan["parse_native_calls"]:
        return not sent
    names = {name and aliases.get(name, name) for name in sent}
    return names == set(plan["effective"])


def calls_none(request: object) -> bool:
    """Tell whether the caller switched all tools of a request off by its choice."""
    return isinstance(request, dict) and choice_word(request.get("tool_choice")) == "none"


def _function_name(value: object) -> str | None:
    """Return the name in the function of a tool or a call, or None."""
    match value:
        case {"function": {"name": str(name)}}:
            return name
    return None


def _of_text(
    extraction: Extraction, echoed: Sequence[bool], fresh_id: Callable[[], str]
) -> Iterator[_ReadCall]:
    """Yield the calls of a text in its order, also those that could not be read, each behind as
    many of the others as it says (definition "call of the message").
    """
    lost = deque(extraction.get("unreadable", ()))
    for place, call in enumerate([*extraction["tool_calls"], None]):
        while lost and lost[0]["before"] == place:
            one = lost.popleft()
            yield _ReadCall(fresh_id(), one["name"], None, one["error_type"])
        if call and echoed[place]:
            yield _ReadCall(fresh_id(), call["name"], None, "tool_echoed")
        elif call:
            yield _ReadCall(fresh_id(), call["name"], call["arguments_json"])


def _cut_off(call: _ReadCall) -> _ReadCall:
    """Return a call of a text that was cut off, which is answered and not run."""
    is_said = call.error_type not in (None, "tool_payload_parse_error")
    return replace(call, arguments_json=None, error_type=call.error_type if is_said else _CUT)


def with_tools(options: TextOptions, request: object, aliases: Mapping[str, str]) -> TextOptions:
    """Return how a text is read, with the known tools: those that were sent where nobody gave any,
    with the names that the runtime knows.
    """
    if "tools" in options or not isinstance(request, dict):
        return options
    sent = request.get("tools")
    known = [
        {**tool, "function": {**tool["function"], "name": aliases.get(name, name)}}
        for tool in (sent if isinstance(sent, list) else ())
        if isinstance(tool, dict) and (name := _function_name(tool)) is not None
    ]
    return {**options, "tools": known}


def tools_by_name(tools: Sequence[object]) -> dict[str, object]:
    """Return the first tool of each name (TRN-037)."""
    named = ((_function_name(tool), tool) for tool in reversed(tools))
    return {name: tool for name, tool in named if name is not None}


def _for_history(calls: Sequence[_ReadCall], disposition: Disposition) -> list[TurnCall]:
    """Return the calls in wire form, as `sanitize_history` would make them (TRN-024)."""
    stored = []
    for seq, call in enumerate(calls):
        arguments = None if call.name is None else call.arguments_json  # None: it is invalid
        if arguments is None and disposition == "skip":
            continue
        # The store is for every provider: the one that wants a letter first has it when it is sent.
        name = INVALID_NAME if call.name is None else sent_name(call.name)
        wire = _turn_call(seq, call.id, name, "{}" if arguments is None else arguments)
        if call.opaque:
            wire["opaque"] = call.opaque
        stored.append(wire)
    return stored


def _turn_call(seq: int, identifier: str, name: str, arguments_json: str) -> TurnCall:
    return {"seq": seq, "id": identifier, "name": name, "arguments_json": arguments_json}
