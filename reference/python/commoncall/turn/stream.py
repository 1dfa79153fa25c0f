"""The inbound half of a turn for a message that arrives in chunks.

Nothing shown is taken back, nothing is run before the end: TRN-068, TRN-069 and TRN-073.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Literal, TypedDict, Unpack, cast, final

from commoncall.envelope import Finding
from commoncall.extraction.extract import TextOptions, extractor_for
from commoncall.extraction.record import Event
from commoncall.json_text import whole_pairs
from commoncall.payload.profile import history_profile_of
from commoncall.turn.joined import Joined
from commoncall.turn.receive import (
    InboundPlan,
    ModelMessage,
    PlanMismatchError,
    Received,
    ReceiveOptions,
    has_tools_of,
    receive,
    with_tools,
)

Kind = Literal["reasoning", "text"]
_KINDS: tuple[Kind, ...] = ("reasoning", "text")


@final
class ShownReasoning(TypedDict):
    """Reasoning to show, apart from the text."""

    reasoning: str


@final
class ShownText(TypedDict):
    """Text to show."""

    text: str


@final
class ShownRefusal(TypedDict):
    """What a provider that refuses says in the place of a text."""

    refusal: str


Shown = ShownReasoning | ShownText | ShownRefusal
"""Three types, so that who has asked for two members knows that the third is there."""


class StreamResult(TypedDict):
    """The result of the operation (schema ``turn/stream``)."""

    message: ModelMessage
    received: Received
    shown: list[list[Shown]]
    findings: list[Finding]


class Stream:
    """Reads a message that arrives in chunks.

    ``feed`` each chunk, then ``finish``; no call may be run before. It does no work of its own and
    waits for nothing, so it serves synchronous and asynchronous code. Arguments: see `receive`.

    Attributes:
        rest: after ``finish``, what is still to be shown.
        message: after ``finish``, the message that the chunks were together.
        findings: what of the chunks is not in the message (TRN-072).

    Raises:
        OriginMissingError: the profile names what is opaque, and no origin (TRN-034).
        PlanMismatchError: the request has other tools than the plan.
        ValueError: the profile is no profile.
    """

    def __init__(self, plan: InboundPlan, **options: Unpack[ReceiveOptions]) -> None:
        names = options.get("aliases") or {}
        flags = history_profile_of(options.get("profile"))
        request = options.get("request")
        if request is not None and not has_tools_of(request, plan, names):
            raise PlanMismatchError({"code": "plan_mismatch"})
        self.rest: list[Shown] = []
        self._message: ModelMessage | None = None
        self._is_received = False
        self._joined = Joined(flags)
        # It is both readings of TRN-069: they part in what a block is, and show it in neither case.
        self._visible = extractor_for(
            effective=plan["effective"] if plan["parse_text_calls"] else [],
            new_id=str,
            record=False,
            events=True,
            **with_tools(_of_text(options), request, names),
        )
        self._refusal_half = ""  # of a surrogate pair
        self._receive: Callable[[ModelMessage], Received]
        self._receive = functools.partial(receive, plan, **options)

    def feed(self, chunk: object) -> list[Shown]:
        """Take the next chunk, any JSON, and return what can be shown now (TRN-069)."""
        if self._message is not None:
            raise ValueError("the stream is finished")
        content, refusal = self._joined.add(chunk)
        shown = _pieces(self._visible.feed(content))
        refusal, self._refusal_half = whole_pairs(self._refusal_half + refusal)
        return [*shown, {"refusal": refusal}] if refusal else shown

    def finish(self) -> Received:
        """End the message: what is run, answered, stored, and left to show (TRN-068).

        Raises:
            EnvExhausted, TypeError: as `receive` does of ``new_id``. It can be asked again then.
            ValueError: the stream is finished.
        """
        if self._is_received:
            raise ValueError("the stream is finished")
        if self._message is None:
            self._message = self._joined.message()
            self.rest = _pieces(self._visible.finish())
            if self._refusal_half:
                self.rest.append({"refusal": self._refusal_half})
        received = self._receive(self._message)
        self._is_received = True
        return received

    @property
    def message(self) -> ModelMessage:
        """The message that the chunks were together.

        Raises:
            ValueError: the stream is not finished.
        """
        if self._message is None:
            raise ValueError("the stream has no message before it is finished")
        return self._message

    @property
    def findings(self) -> list[Finding]:
        """What of the chunks is not in the message, in the order of places."""
        return self._joined.findings.rendered()


def _of_text(options: ReceiveOptions) -> TextOptions:
    """Return the options that say how the text is read, and those that nobody knows."""
    own = ReceiveOptions.__annotations__.keys() - TextOptions.__annotations__
    return cast(TextOptions, {name: one for name, one in options.items() if name not in own})


def _pieces(events: list[Event]) -> list[Shown]:
    """Return what is shown of events: as one piece each the reasoning and the text."""
    members = [cast(Mapping[str, str], event) for event in events]
    texts = {kind: "".join([one[kind] for one in members if kind in one]) for kind in _KINDS}
    return [cast(Shown, {kind: texts[kind]}) for kind in _KINDS if texts[kind]]
