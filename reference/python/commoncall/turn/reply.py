"""What Python programs hold on the way back of a turn: the objects of an SDK, and outcomes."""

import operator
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Unpack, cast, get_args

from commoncall import border
from commoncall.event import Key
from commoncall.forms import fits, form_of, is_whole
from commoncall.interface import Events
from commoncall.interface.table import FLAT
from commoncall.json_text import compact, decode
from commoncall.near import others_than
from commoncall.payload.profile import GivenProfile
from commoncall.turn.joined import CUT_OFF
from commoncall.turn.native import Native, message_in, stored_in
from commoncall.turn.operations import is_received
from commoncall.turn.prepare import Prepared
from commoncall.turn.receive import Answer, InboundPlan, Received, ReceiveOptions, tools_by_name
from commoncall.turn.receive import receive as receive_json
from commoncall.turn.sending import Sent
from commoncall.turn.settle import NO_JSON, CallOutcome, Settled, Status
from commoncall.turn.settle import settle as settle_json
from commoncall.turn.stream import Shown
from commoncall.turn.stream import Stream as JsonStream


class ReplyOptions(ReceiveOptions, total=False):
    """How a message is received, and judged.

    Attributes:
        judge: says what is wrong with the arguments of a call, given them and the parameters of its
            tool in ``tools``. Such a call is answered, and not run; see `commoncall.judging`.
    """

    judge: Callable[[object, object], Sequence[object]]


_are_aliases: Final = border.of_form("turn.receive", "aliases")
_READERS: Final[dict[str, border.Reader]] = {
    "request": border.plain,
    "aliases": border.formed(lambda value: value is None or _are_aliases(value), "object of texts"),
    "tools": border.formed(list | None, "list"),
}
_FORMS: Final[dict[str, border.Test]] = {
    "key": Key,
    "new_id": callable,
    "judge": callable,
    "payload_bytes": border.of_form("extraction.extract#limits", "payload_bytes"),
    "guided": border.of_form("turn.receive", "guided"),
}
"""Those of options that no reader takes, and whose type alone does not say it (`border.public`)."""


@border.public(**_READERS)
def receive(
    plan: InboundPlan | Prepared | Sent,
    message: object,
    *,
    finish_reason: object = None,
    **options: Unpack[ReplyOptions],
) -> Received:
    """Read the message that a model gave in a turn.

    Args:
        plan: what `prepare` returned, with all that it knows for the way back, or its plan alone.
        message: a choice of Chat Completions, or its ``message``, as a dict or an object of an SDK,
            or ``{text, tool_calls, ...}`` as the operation takes it.
        finish_reason: that of the choice, where only its message is given. ``length``,
            ``content_filter`` and the other reasons of a cut (spec/v1/turn.md) say that the message
            was cut off.
        options: see `ReplyOptions`; None is as good as nothing. ``request_id`` is random where
            there is none.

    Raises:
        OriginMissingError: the profile names what is opaque, and no origin (TRN-034).
        PlanMismatchError: the request has other tools than the plan (TRN-033).
        TypeError: the plan, the message or an option is none, or of another form.
        ValueError: a profile, a format or a dialect is unknown, or a literal.
    """
    native, history = _native_of(plan), None
    if native is not None:
        read, history = message_in(native["interface"], message)
    else:
        read = _read_message(message, "message")
    reason_of_choice = read.pop("finish_reason", None)
    if finish_reason in CUT_OFF or reason_of_choice in CUT_OFF:
        read["truncated"] = True
    inbound, given, judge = _parted(plan, options)
    got = _judged(receive_json(inbound, read, **given), judge, given.get("tools"))
    return got if history is None else NativeReceived(**got, reply=history)


def _read_message(value: object, place: str) -> dict[str, Any]:
    """Return the message of a model; see `border.reply`. Of a choice it is the message with the
    ``finish_reason`` of the choice.
    """
    given = border.sent(value, place)
    match given:
        case {"message": dict(message), "finish_reason": reason} if "done" not in given:
            return {**border.reply(message, message, f"{place}.message"), "finish_reason": reason}
    return border.reply(given, value, place)


class NativeReceived(Received):
    """A turn received in another interface; ``reply`` is what came, as its history has it."""

    reply: list[Any]


def _native_of(plan: object) -> Native | None:
    reading = plan.get("reading") if isinstance(plan, dict) else None
    return reading.get("native") if isinstance(reading, dict) else None


def _judged(received: Received, judge: Any, tools: Any) -> Received:
    """Answer the calls whose arguments are wrong (TRN-024). In the history they stay as the model
    wrote them: it reads there what the answer is about.
    """
    if judge is None:
        return received
    named: dict[str, Any] = tools_by_name(tools or ())
    parameters = {name: tool["function"].get("parameters") for name, tool in named.items()}
    wrong = {
        call["seq"]: call
        for call in received["dispatch"]
        if judge(decode(call["arguments_json"]), parameters.get(call["name"]))
    }
    answers: list[Answer] = [
        {"seq": seq, "id": call["id"], "error_type": "tool_payload_parse_error"}
        for seq, call in wrong.items()
    ]
    return {
        **received,
        "dispatch": [call for call in received["dispatch"] if call["seq"] not in wrong],
        "answers": sorted([*received["answers"], *answers], key=operator.itemgetter("seq")),
        "unreadable": received["unreadable"] + len(wrong),
    }


def _parted(plan: Any, options: ReplyOptions) -> tuple[InboundPlan, dict[str, Any], Any]:
    """Return the plan; the options, with what `prepare` knows for them (TRN-053); and ``judge``.

    Raises:
        TypeError: the plan is none, as a request; or an option is missing, or of another form.
    """
    known = plan if isinstance(plan, dict) and plan.keys() >= {"plan", "request", "aliases"} else {}
    inbound = known.get("plan", plan)
    if not fits(inbound, form_of("turn.receive", "plan")):
        raise TypeError(f"plan is {border.what(plan)}, and no plan: pass what prepare returned")
    given = {name: known[name] for name in ("request", "aliases") if known}
    given |= {name: one for name, one in known.get("reading", {}).items() if one is not None}
    if (native := given.pop("native", None)) is not None:
        given["request"] = native["request"]
    given.setdefault("request_id", str(uuid.uuid4()))
    given.update({name: one for name, one in options.items() if one is not None})
    if "disposition" not in given:
        raise TypeError("there is no disposition, and plan is not what prepare returned")
    for name in options.keys() - ReplyOptions.__annotations__.keys():
        raise TypeError(f"no option {name}; {others_than(name, [*ReplyOptions.__annotations__])}")
    for name, form in _FORMS.items():
        if name in given and not border.fits(given[name], form):
            raise TypeError(f"{name} is {border.what(given[name])}, and no such option")
    judge = given.pop("judge", None)
    return cast(InboundPlan, inbound), given, judge


class Stream(JsonStream):
    """Reads a message that arrives in chunks, which may be objects of an SDK."""

    @border.public(**_READERS)
    def __init__(
        self, plan: InboundPlan | Prepared | Sent, **options: Unpack[ReplyOptions]
    ) -> None:
        inbound, given, judge = _parted(plan, options)
        native = _native_of(plan)
        self._events = None if native is None else Events(native["interface"])
        is_flat = native is not None and native["interface"] in FLAT
        self._signs = ("message", "error") if is_flat else ("type",)  # of an event: one is there
        self._native = native
        super().__init__(inbound, **given)
        read, tools = self._receive, given.get("tools")
        self._receive = lambda message: _judged(read(message), judge, tools)

    def feed(self, chunk: object) -> list[Shown]:
        """Take the next chunk and return what can be shown now (TRN-069).

        Raises:
            ChoiceNotSingleError: the chunk is part of several messages (TRN-061).
            TypeError: it is no chunk, as a text but `[DONE]`, or a delta alone.
            ValueError: the stream is finished.
        """
        if self._events is not None:
            event = border.sent(chunk, "event")
            if not isinstance(event, dict) or not any(event.get(name) for name in self._signs):
                raise TypeError(f"event is {border.what(chunk)} without a {self._signs[0]}")
            chunks = self._events.feed(event)
            return [shown for each in chunks for shown in super(Stream, self).feed(each)]
        return super().feed(chunk if chunk == "[DONE]" else border.chunk(chunk, "chunk"))

    def finish(self) -> Received:
        """End the message: what is run, answered, stored, and left to show (TRN-068)."""
        received = super().finish()
        if self._events is None or self._native is None:
            return received
        reply = self._events.reply
        history = message_in(self._native["interface"], reply)[1] if reply else []
        return NativeReceived(**received, reply=history)


def read_outcomes(value: Any, place: str) -> list[CallOutcome]:
    """Return what dispatched calls came to. They have been run, so a content that is no JSON is
    settled, too, as `NO_JSON` (TRN-076), and whatever else is said of them is judged.

    Raises:
        TypeError: it is no list of outcomes with a ``seq``.
        ValueError: an outcome has no status, or a member that is unknown.
    """
    if not isinstance(value, list | tuple):
        raise TypeError(f"{place} is {border.what(value)}, and no list of outcomes")
    return [_outcome(one, f"{place}[{at}]") for at, one in enumerate(value)]


def _outcome(value: Any, place: str) -> CallOutcome:
    read: Any = value if isinstance(value, dict) else border.plain(value, place)
    if not isinstance(read, dict) or not is_whole(read.get("seq")):
        raise TypeError(f"{place} is {border.what(value)}, and no outcome with a seq")
    if "status" not in read:
        raise ValueError(f"{place} has no status")
    if not border.fits(read["status"], Status):  # its tool was run: no result may be lost
        said = f"{border.word(read['status'])}, which is neither {' nor '.join(get_args(Status))}"
        warnings.warn(f"{place}.status is {said}: the call counts as failed", stacklevel=5)
    for name in read.keys() - CallOutcome.__annotations__.keys():
        known = ", ".join(CallOutcome.__annotations__)
        raise ValueError(f"{place} has the member {border.word(name)}; known are {known}")
    lost = {"content": NO_JSON}
    return cast(CallOutcome, {name: _json(one, lost.get(name)) for name, one in read.items()})


def _json(value: object, lost: object) -> object:
    """Return JSON with the same meaning, and what stands for it where there is none."""
    try:
        read = border.plain(value, "it")
        compact(read)
    except (TypeError, ValueError):
        return lost
    return read


def read_received(value: Any, place: str) -> Received:
    """Return a received turn (TRN-040), as `receive` returns it.

    Raises:
        TypeError: it is something else, or its parts speak of other calls.
    """
    read = border.plain(value, place)
    if not is_received(read):
        raise TypeError(f"{place} is {border.what(value)}, and not what receive returned")
    return cast(Received, read)


def settle(
    received: Received | NativeReceived,
    outcomes: Sequence[CallOutcome],
    profile: GivenProfile | Sent | None = None,
) -> Settled:
    """End a turn: every call gets its Result, and its message for the history.

    Args:
        received: what `receive` returned.
        outcomes: what dispatched calls came to, in any order; a call without one was aborted.
        profile: what `prepare` returned, or the profile that it was given: whether results that are
            parts are stored as such.

    Raises:
        TypeError: an argument is of another form.
        ValueError: an outcome is of no dispatched call, or the second of one; no profile.
    """
    native = _native_of(profile)
    if isinstance(profile, Mapping) and "reading" in profile:
        profile = cast(Sent, profile)["reading"]["profile"]
    if native is None:
        return _settle(received, outcomes, profile)
    came: Any = received
    if not isinstance(came, dict) or "reply" not in came:
        raise TypeError("received is not what receive returned for this interface")
    reply = came["reply"]
    rest = {name: one for name, one in came.items() if name != "reply"}
    return stored_in(native, _settle(cast(Received, rest), outcomes, profile), reply)


_settle = border.public(received=read_received, outcomes=read_outcomes)(settle_json)
