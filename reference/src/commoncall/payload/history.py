"""The history as it may be stored or sent again: no broken call, every call with its result.

Holds `sanitize_history`, the order of its steps (PAY-143), and what becomes of whole messages:
PAY-061 to PAY-076, PAY-135, PAY-136 and PAY-149 of spec/v1/payload.md.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NotRequired, TypedDict, cast

from commoncall.envelope import Finding
from commoncall.payload.call_ids import sent_ids
from commoncall.payload.fixed_texts import (
    INVALID_CALL_RESULT,
    MISSING_RESULT,
    RESULTS_RECEIVED,
)
from commoncall.payload.foreign_members import is_from_here, touches_members, without_foreign
from commoncall.payload.messages import (
    ROLES,
    Message,
    Round,
    answered,
    calls_of,
    is_empty,
    rounds,
)
from commoncall.payload.profile import Profile, profile_of
from commoncall.payload.sent_messages import (
    Call,
    call_of,
    content_beside_calls,
    fixed_result,
    sent_call,
    sent_result,
)
from commoncall.payload.settled import is_settled
from commoncall.payload.tool_call import CALL, check_tool_call
from commoncall.places import Place, finding, in_order, pointer, rooted

Disposition = Literal["skip", "answer"]
"""What becomes of an invalid call: it goes with its result, or it is told that it was not run."""


class SanitizedHistory(TypedDict):
    """A history that may be stored and sent, and what had to change for it.

    ``skipped`` is the number of invalid calls that went; absent, none did (PAY-149).
    """

    messages: list[Message]
    skipped: NotRequired[int]
    findings: list[Finding]


@dataclass(slots=True)
class _Turn:
    """A round, the calls of it that stay, the calls of the results that stay by position, and how
    many calls do not stay.
    """

    round: Round
    calls: list[Call] = field(default_factory=list)
    results: dict[int, Call] = field(default_factory=dict)
    is_open: bool = False
    skipped: int = 0


def sanitize_history(
    messages: Sequence[object],
    *,
    disposition: Disposition,
    open_turn: bool = False,
    profile: Mapping[str, object] | None = None,
) -> SanitizedHistory:
    """Bring a history into a form that can be sent and stored; never changes what is given.

    Args:
        messages: the history in the form of Chat Completions; any JSON, because it is judged.
        disposition: what becomes of an invalid call. ``skip`` removes it with its result,
            ``answer`` keeps it without its arguments and answers it with one fixed error text.
        open_turn: the calls of the last assistant message still wait for their results (PAY-075).
        profile: what the provider takes, as JSON; None where it is not known. What is made for one
            provider is for sending only (PAY-147).

    Returns:
        ``{messages, skipped?, findings}``. Messages in which nothing changed are the objects that
        were given. Raises nothing on JSON input.

    Raises:
        ValueError: ``profile`` is no profile; the text says in one line what is wrong.
    """
    if profile is None and is_settled(messages, open_turn=open_turn):
        return {"messages": cast(list[Message], list(messages)), "findings": []}
    return _mended(messages, disposition, open_turn, profile_of(profile))


def _mended(
    messages: Sequence[object], disposition: Disposition, open_turn: bool, flags: Profile
) -> SanitizedHistory:
    """Take the steps of PAY-143, whether they change anything or not."""
    findings: list[Finding] = []
    kept = _read(messages, flags, findings)
    written = [] if flags.system_anywhere else _take_system(kept, findings)
    found = rounds(kept)
    turns = []
    for round_ in found:
        is_open = open_turn and round_ is found[-1]
        turns.append(_settle(round_, kept, disposition, is_open, flags, findings))
    calls = [turn.calls for turn in turns if turn.calls]
    ids = sent_ids(map(_given_ids, calls), flags.ids)
    for call, identifier in zip(chain(*calls), ids, strict=True):
        call.id = identifier
    for turn in turns:
        written.extend(_write(turn, messages, kept, flags, findings))
        others = turn.round.others
        if others and _needs_bridge(turn, written, flags):
            written.append({"role": "assistant", "content": RESULTS_RECEIVED})
            findings.append(finding(("messages", others[0]), "bridge_inserted"))
        written.extend([kept[at] for at in others])
    history: SanitizedHistory = {"messages": written, "findings": in_order(findings)}
    if skipped := sum(turn.skipped for turn in turns):
        history["skipped"] = skipped
    return history


def _read(
    messages: Sequence[object], profile: Profile, findings: list[Finding]
) -> dict[int, Message]:
    """Return the kept messages by position, without what may not be sent of them.

    PAY-061 to PAY-065 and, by the profile, PAY-137 to PAY-142.
    """
    trims = touches_members(profile)
    kept: dict[int, Message] = {}
    for at, message in enumerate(messages):
        if not isinstance(message, dict):
            findings.append(finding(("messages", at), "message_not_object"))
        elif message.get("role") not in ROLES:
            findings.append(finding(("messages", at), "role_unknown"))
        else:
            clean = _without_legacy(message, at, findings)
            if trims:
                clean = without_foreign(clean, ("messages", at), profile, findings)
            if is_empty(clean):
                findings.append(finding(("messages", at), "message_empty"))
            else:
                kept[at] = clean
    return kept


def _without_legacy(message: Message, at: int, findings: list[Finding]) -> Message:
    """Return a message without a legacy call, and with calls only where there are some."""
    removed = {}
    if "function_call" in message:
        removed["function_call"] = "function_call_removed"
    if "tool_calls" in message and not calls_of(message):
        if message["role"] != "assistant":
            removed["tool_calls"] = "tool_calls_misplaced"
        elif message["tool_calls"] == []:
            removed["tool_calls"] = "tool_calls_empty"
        else:
            removed["tool_calls"] = "tool_calls_not_array"
    if not removed:
        return message
    findings.extend(finding(("messages", at, name), code) for name, code in removed.items())
    return _without(message, *removed)


def _take_system(kept: dict[int, Message], findings: list[Finding]) -> list[Message]:
    """Take the system and developer messages out of the kept ones, in their order (PAY-135)."""
    taken = [at for at, message in kept.items() if message["role"] in ("system", "developer")]
    system = [kept.pop(at) for at in taken]
    first = next(iter(kept), None)
    if first is not None:
        moved = (at for at in taken if at > first)
        findings.extend(finding(("messages", at), "system_moved") for at in moved)
    return system


def _settle(
    round_: Round,
    kept: dict[int, Message],
    disposition: Disposition,
    is_open: bool,
    profile: Profile,
    findings: list[Finding],
) -> _Turn:
    """Judge the calls of a round and find their results; what does not stay is reported."""
    given = [] if round_.calling is None else calls_of(kept[round_.calling])
    if not given and not round_.tools:
        return _Turn(round_)
    calls = []
    for number, one in enumerate(given):
        assert round_.calling is not None
        place: Place = ("messages", round_.calling, "tool_calls", number)
        check = check_tool_call(one)
        calls.append(call_of(place, one, check, profile))
        if check["findings"]:
            findings.extend(rooted(check["findings"], CALL, pointer(place)))
    results: dict[int, Call] = {}
    answers = answered(given, [kept[at] for at in round_.tools])
    for at, answer in zip(round_.tools, answers, strict=True):
        if answer is None:
            findings.append(finding(("messages", at), "result_orphaned"))
            continue
        call = calls[answer]
        call.result = at
        results[at] = call
        if not call.valid:
            removed = disposition == "skip"
            code = "result_of_skipped_call" if removed else "result_replaced"
            findings.append(finding(("messages", at), code))
        elif round_.others and round_.others[0] < at:
            findings.append(finding(("messages", at), "result_moved"))
    if disposition == "skip":
        calls = [call for call in calls if call.valid]
        results = {at: call for at, call in results.items() if call.valid}
    return _Turn(round_, calls, results, is_open, skipped=len(given) - len(calls))


def _given_ids(calls: Sequence[Call]) -> list[object]:
    return [call.given.get("id") if isinstance(call.given, dict) else None for call in calls]


def _write(
    turn: _Turn,
    messages: Sequence[object],
    kept: Mapping[int, Message],
    profile: Profile,
    findings: list[Finding],
) -> list[Message]:
    """Return the calls of a round as they are sent, and their results."""
    written = []
    calling = turn.round.calling
    if calling is not None:
        message = _calling(turn.calls, calling, messages, kept[calling], profile, findings)
        # A round whose calls are all gone can be left without a word.
        if is_empty(message):
            findings.append(finding(("messages", calling), "message_empty"))
        else:
            written.append(message)
    for at, call in turn.results.items():
        if call.valid:
            written.append(sent_result(kept[at], call, ("messages", at), profile, findings))
        else:
            written.append(fixed_result(call, INVALID_CALL_RESULT, profile))
    for call in turn.calls:
        if call.result is not None:
            continue
        if not call.valid:
            written.append(fixed_result(call, INVALID_CALL_RESULT, profile))
        elif not turn.is_open:
            findings.append(finding(call.place, "result_missing"))
            written.append(fixed_result(call, MISSING_RESULT, profile))
    return written


def _calling(
    calls: Sequence[Call],
    at: int,
    messages: Sequence[object],
    message: Message,
    profile: Profile,
    findings: list[Finding],
) -> Message:
    """Return an assistant message with the calls that stay; the given one where nothing changes."""
    given = calls_of(message)
    if not given:
        return message
    if not calls:
        return _without(message, "tool_calls")
    content = message.get("content")
    sent_content = content_beside_calls(content, profile)
    if sent_content is not content:
        findings.append(finding(("messages", at, "content"), "content_coerced"))
        message = {**message, "content": sent_content}
    # Whether it came from here, the message as it was given says: what is kept has no mark.
    from_here = is_from_here(messages[at], profile) if touches_members(profile) else None
    sent = [sent_call(call, from_here, profile, findings) for call in calls]
    same = len(sent) == len(given) and all(map(operator.is_, sent, given))
    return message if same else {**message, "tool_calls": sent}


def _needs_bridge(turn: _Turn, written: Sequence[Message], profile: Profile) -> bool:
    """Tell whether somebody else would speak directly behind a result (PAY-136)."""
    if profile.user_after_tool or not written or written[-1]["role"] != "tool":
        return False
    # A call that waits keeps its turn open: an assistant message would end it.
    waits = turn.is_open and any(call.valid and call.result is None for call in turn.calls)
    return not waits


def _without(message: Message, *names: str) -> Message:
    return {name: value for name, value in message.items() if name not in names}
