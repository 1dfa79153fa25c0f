"""The order of roles and of calls, for chat templates that want it so.

Definitions "neighbours" and "joined content", PAY-154 but for contents, PAY-155 to PAY-157, and
TRN-077.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import TypeVar

from commoncall.json_text import equal
from commoncall.payload.fixed_texts import (
    INVALID_CALL_RESULT,
    MESSAGE_RECEIVED,
    MISSING_RESULT,
    PLEASE_CONTINUE,
    RESULTS_RECEIVED,
)
from commoncall.payload.foreign_members import (
    call_holds_opaque,
    opaque_names,
    readable_names,
)
from commoncall.payload.messages import SAYS_NOTHING, SYSTEM, Message, Placed, text_of, without
from commoncall.payload.profile import Profile
from commoncall.payload.sanitizing import Run
from commoncall.payload.sent_messages import HistoryCall

One = TypeVar("One")

SentMessage = tuple[int | None, Message]
"""A message and its position in the input, None of one that the sanitizer made."""


@dataclass(slots=True)
class SentRound:
    """A round as it is sent: its first message, the calls of it that stay, and the other messages
    that stand behind their results. Before any assistant message there is no ``first``.
    """

    first: SentMessage | None
    calls: list[HistoryCall]
    others: list[SentMessage] = field(default_factory=list)

    @property
    def waits(self) -> bool:
        """Tell whether a call has no result by PAY-074."""
        return any(call.waits for call in self.calls)


def place_systems(kept: Sequence[Placed], run: Run) -> list[Placed]:
    """Return the messages with those of the system at the front alone (PAY-154)."""
    front: list[Placed] = []
    others: list[Placed] = []
    late = False
    for at, message in kept:
        if message["role"] not in SYSTEM:
            others.append((at, message))
            # A tool message that no call stands before answers none, or moves to its call.
            late = late or message["role"] != "tool"
        elif not late:
            front.append((at, message))
        else:
            run.report(("messages", at), "system_late")
            others.append((at, {**message, "role": "user"}))
    if run.profile.system_anywhere == "one" and front:
        front = [(front[0][0], _joined(front, run)[1])]
    return [*front, *others]


def join_neighbours(turns: Sequence[SentRound], run: Run) -> list[SentRound]:
    """Return the turns with all neighbours joined that can be (PAY-155)."""
    joined: list[SentRound] = []
    # Turns whose first messages become one; only the last of them holds calls or others.
    for group in _grouped(turns, partial(_turns_can_be_joined, run.profile)):
        firsts = [turn.first for turn in group if turn.first is not None]
        others = _grouped(group[-1].others, partial(_can_be_joined, run.profile))
        joined.append(
            SentRound(
                _joined(firsts, run) if firsts else None,
                group[-1].calls,
                [_joined(each, run) for each in others],
            )
        )
    return joined


def _grouped(all_: Sequence[One], can_be_joined: Callable[[One, One], bool]) -> list[list[One]]:
    """Return groups of what stands side by side and can be joined."""
    groups: list[list[One]] = []
    for one in all_:
        if groups and can_be_joined(groups[-1][-1], one):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def split_calls(turns: Sequence[SentRound], run: Run) -> list[SentRound]:
    """Return the turns with one call in each (PAY-156)."""
    split: list[SentRound] = []
    for turn in turns:
        if (
            turn.first is None
            or len(turn.calls) < 2
            or turn.waits
            or opaque_names(turn.first[1], run.profile)
            or _calls_hold_opaque(turn, run.profile)
        ):
            split.append(turn)
            continue
        at, _ = turn.first
        assert at is not None
        run.report(("messages", at, "tool_calls"), "calls_split")
        for number, call in enumerate(turn.calls):
            made: SentMessage = (None, {"role": "assistant", "content": None})
            split.append(SentRound(made if number else turn.first, [call]))
        split[-1].others = turn.others
    return split


def _turns_can_be_joined(profile: Profile, before: SentRound, turn: SentRound) -> bool:
    """Tell whether the first messages of two turns, one behind the other, can be joined."""
    return (
        before.first is not None
        and turn.first is not None
        # A call has a result behind it, but in the last round.
        and not (before.calls or before.others)
        and not _calls_hold_opaque(turn, profile)
        and _can_be_joined(profile, before.first, turn.first)
    )


def _can_be_joined(profile: Profile, before: SentMessage, behind: SentMessage) -> bool:
    """Tell whether two messages, one behind the other, can be joined (definition "neighbours").

    The calls of the second are looked at elsewhere; the first has none.
    """
    (_, first), (_, second) = before, behind
    if opaque_names(first, profile) or opaque_names(second, profile):
        return False
    one, other = (
        without(each, "content", "tool_calls", *readable_names(each, profile))
        for each in (first, second)
    )
    return equal(one, other)


def _calls_hold_opaque(turn: SentRound, profile: Profile) -> bool:
    # What is opaque in a call from elsewhere goes, so a second pass would not find it (PAY-085).
    return any(call.from_here and call_holds_opaque(call.given, profile) for call in turn.calls)


def _joined(sent: Sequence[SentMessage], run: Run) -> SentMessage:
    """Return neighbours as one message: all at once, so that none is copied for each other one."""
    if len(sent) == 1:
        return sent[0]
    at, message = sent[0]
    for behind, _ in sent[1:]:
        assert behind is not None
        run.report(("messages", behind), "messages_joined")
    messages = [one for _, one in sent]
    said = {"content": joined_content([one.get("content") for one in messages])}
    for name in set[str]().union(*(readable_names(one, run.profile) for one in messages)):
        values = [one.get(name) for one in messages]
        if any(one not in SAYS_NOTHING for one in values):
            said[name] = joined_content(values)
    # The calls of the last stand in its turn, and are written from there.
    return at, {**message, **said}


def joined_content(contents: Sequence[object]) -> object:
    """Return contents as one (definition "joined content", from the first pair on)."""
    said = [each for each in contents if each not in SAYS_NOTHING]
    if len(said) < 2:
        return said[0] if said else contents[0]
    lists = [number for number, each in enumerate(said) if isinstance(each, list)]
    texts = said[: lists[0]] if lists else said
    begin = "\n".join(map(text_of, texts))
    if not lists:
        return begin
    behind = chain.from_iterable(map(_elements, said[len(texts) :]))
    return [*(_elements(begin) if texts else ()), *behind]


def _elements(content: object) -> list[object]:
    return content if isinstance(content, list) else [{"type": "text", "text": text_of(content)}]


def bridged(sent: list[SentMessage], open_end: int, run: Run) -> list[SentMessage]:
    """Return the messages with one of the assistant between results and other speakers, and with
    roles that alternate, the user's before all (PAY-157).

    No bridge is put before the last ``open_end`` messages: they stand behind a call that waits.
    """
    found: list[SentMessage] = []
    code = "bridge_inserted" if run.profile.bridges else "bridge_missing"
    before: Message | None = None  # None where nothing but system messages stands there
    for number, (at, message) in enumerate(sent):
        role = str(message["role"])
        bridge = _bridge(before, role, run) if number < len(sent) - open_end else None
        if bridge is not None:
            # No message that was made here: a result, or a call behind one, needs no bridge.
            assert at is not None
            if run.profile.bridges:
                found.append((None, bridge))
            run.report(("messages", at), code)
        found.append((at, message))
        if before is not None or role not in SYSTEM:
            before = message
    if found and before is None and run.profile.repeated_roles is not True:
        assert at is not None  # a message of the system was given
        if run.profile.bridges:
            found.append((None, {"role": "user", "content": PLEASE_CONTINUE}))
        run.report(("messages", at), code)
    return found


def _bridge(message: Message | None, role: str, run: Run) -> Message | None:
    """Return what has to stand between a message and one of a role, if anything has to."""
    before = message and message["role"]
    alternates = not run.profile.repeated_roles
    if before == "tool" and role in (*SYSTEM, "user"):
        # A result that becomes text will stand in the message of the user (TRN-077).
        is_one = run.flattens and alternates and role == "user"
        if run.profile.user_after_tool or is_one:
            return None
        # Behind "there is no result" nothing was received but a message.
        said = message is not None and message.get("content") not in (
            MISSING_RESULT,
            INVALID_CALL_RESULT,
        )
        return {"role": "assistant", "content": RESULTS_RECEIVED if said else MESSAGE_RECEIVED}
    if alternates and before == role == "user":
        return {"role": "assistant", "content": MESSAGE_RECEIVED}
    if role == "assistant" and (
        (before is None and run.profile.repeated_roles is not True)
        or (alternates and before == role)
    ):
        return {"role": "user", "content": PLEASE_CONTINUE}
    return None
