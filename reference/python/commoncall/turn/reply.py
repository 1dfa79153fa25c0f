"""What Python programs hold on the way back of a turn: the objects of an SDK, and outcomes."""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, Unpack, cast

from commoncall import border
from commoncall.envelope import is_whole
from commoncall.json_text import compact, decode
from commoncall.turn.joined import CUT_OFF
from commoncall.turn.prepare import Prepared
from commoncall.turn.receive import Answer, InboundPlan, Received, ReceiveOptions, tools_by_name
from commoncall.turn.receive import receive as receive_json
from commoncall.turn.settle import NO_JSON, CallOutcome
from commoncall.turn.stream import Shown
from commoncall.turn.stream import Stream as JsonStream


class ReplyOptions(ReceiveOptions, total=False):
    """How a message is received, and judged.

    Attributes:
        judge: says what is wrong with the arguments of a call, given them and the parameters of its
            tool in ``tools``. Such a call is answered, and not run; see `commoncall.judging`.
    """

    judge: Callable[[object, object], Sequence[object]]


_READERS: Final = dict.fromkeys(("request", "aliases", "tools"), border.plain)


@border.public(message=border.reply, **_READERS)
def receive(
    plan: InboundPlan | Prepared,
    message: object,
    *,
    finish_reason: str | None = None,
    **options: Unpack[ReplyOptions],
) -> Received:
    """Read the message that a model gave in a turn.

    Args:
        plan: what `prepare` returned, whose request and aliases then count, or its plan alone.
        message: the ``message`` of a choice of Chat Completions, as a dict or an object of an SDK,
            or ``{text, tool_calls, ...}`` as the operation takes it.
        finish_reason: that of the choice. ``length``, ``content_filter`` and others of `CUT_OFF`
            say that the message was cut off.
        options: see `ReplyOptions`.

    Raises:
        OriginMissingError: the profile names what is opaque, and no origin (TRN-034).
        PlanMismatchError: the request has other tools than the plan (TRN-033).
        TypeError: the message is none of these.
        ValueError: a profile, a format or a dialect is unknown, or a literal.
    """
    read: dict[str, Any] = dict(message)  # type: ignore[call-overload]  # a dict behind the border
    if finish_reason in CUT_OFF:
        read["truncated"] = True
    inbound, given, judge = _parted(plan, options)
    return _judged(receive_json(inbound, read, **given), judge, given.get("tools"))


def _judged(received: Received, judge: Any, tools: Any) -> Received:
    """Answer the calls whose arguments are wrong. In the history they stay as the model wrote them:
    it reads there what the answer is about.
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
        TypeError: the plan is none, as a request.
    """
    if not isinstance(plan, dict) or not {"plan", "effective"} & plan.keys():
        raise TypeError(f"plan is {border.what(plan)}, and no plan: pass what prepare returned")
    given: dict[str, Any] = {**options}
    judge = given.pop("judge", None)
    if "plan" not in plan:
        return cast(InboundPlan, plan), given, judge
    known = {"request": plan["request"], "aliases": plan["aliases"]}
    return plan["plan"], {**known, **given}, judge


class Stream(JsonStream):
    """Reads a message that arrives in chunks, which may be objects of an SDK."""

    @border.public(**_READERS)
    def __init__(self, plan: InboundPlan | Prepared, **options: Unpack[ReplyOptions]) -> None:
        inbound, given, self._judge = _parted(plan, options)
        self._tools = given.get("tools")
        super().__init__(inbound, **given)

    def feed(self, chunk: object) -> list[Shown]:
        """Take the next chunk and return what can be shown now (TRN-069 to TRN-071).

        Raises:
            ChoiceNotSingleError: the chunk is part of several messages (TRN-061).
            TypeError: something in it is nothing that JSON has.
        """
        return super().feed(border.chunk(chunk, "chunk"))

    def finish(self) -> Received:
        """End the message: what is run, answered, stored, and left to show (TRN-068)."""
        return _judged(super().finish(), self._judge, self._tools)


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
    if not {"status"} <= read.keys() <= CallOutcome.__annotations__.keys():
        names = ", ".join(CallOutcome.__annotations__)
        raise ValueError(f"{place} has no status, or a member that is none of {names}")
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
    """Return what `receive` returned.

    Raises:
        TypeError: it is something else.
    """
    read = border.plain(value, place)
    if not isinstance(read, dict) or not read.keys() >= _RECEIVED:
        raise TypeError(f"{place} is {border.what(value)}, and not what receive returned")
    return cast(Received, read)


_RECEIVED: Final = {"content", "calls", "dispatch", "answers", "planned"}
