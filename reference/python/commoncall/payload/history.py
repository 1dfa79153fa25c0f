"""The history as it may be stored or sent again: no broken call, every call with its result.

Holds `sanitize_history`, the order of its steps (PAY-143), and what becomes of whole messages:
PAY-061, PAY-065, PAY-067, PAY-071, PAY-074, PAY-154, PAY-190, PAY-198 and PAY-240 of
spec/v1/payload.md.
"""

import operator
from collections.abc import Sequence
from itertools import chain
from typing import Literal, NotRequired, TypedDict, cast

from commoncall.border import ROLES
from commoncall.envelope import MARK, Finding
from commoncall.json_text import is_blank
from commoncall.payload.call_ids import sent_ids
from commoncall.payload.fixed_texts import (
    INVALID_CALL_RESULT,
    INVALID_NAME,
    MISSING_RESULT,
    PARTS_OF_RESULTS,
)
from commoncall.payload.flatten import quoted_result
from commoncall.payload.foreign_form import refuse_foreign_messages
from commoncall.payload.foreign_members import (
    is_from_here,
    with_required,
    without_foreign,
    without_parts,
)
from commoncall.payload.messages import (
    SYSTEM,
    Message,
    Round,
    are_text_parts,
    calls_of,
    id_of,
    is_custom,
    is_empty,
    is_silent,
    is_text_part,
    no_calls,
    refusal_of,
    rounds,
    text_of,
    without,
)
from commoncall.payload.pairing import paired
from commoncall.payload.parts import are_parts, is_media_part, moved_parts, text_of_parts
from commoncall.payload.profile import GivenProfile, history_profile_of
from commoncall.payload.roles import (
    SentMessage,
    SentRound,
    bridged,
    join_neighbours,
    place_systems,
    split_calls,
)
from commoncall.payload.sanitizing import Run
from commoncall.payload.sent_messages import (
    HistoryCall,
    content_beside_calls,
    fixed_result,
    sent_call,
    sent_result,
)
from commoncall.payload.sent_name import sent_name
from commoncall.payload.tool_call import judge_repaired
from commoncall.places import Place

Disposition = Literal["skip", "answer"]
"""What becomes of an invalid call: it goes with its result, or it is told that it was not run."""


class SanitizedHistory(TypedDict):
    """A history that may be stored and sent, and what had to change for it.

    ``skipped`` is the number of invalid calls that went; absent, none did (PAY-067).
    ``positions`` are those of the messages in the input, None where none stood (PAY-198).
    """

    messages: list[Message]
    skipped: NotRequired[int]
    positions: NotRequired[list[int | None]]
    findings: list[Finding]


def sanitize_history(
    messages: Sequence[object],
    *,
    disposition: Disposition,
    open_turn: bool = False,
    profile: GivenProfile | None = None,
    positions: bool = False,
) -> SanitizedHistory:
    """Bring a history into a form that can be sent and stored; what stays is what was given.

    Args:
        messages: the history in the form of Chat Completions; any JSON: its form is judged here.
        disposition: what becomes of an invalid call. ``skip`` removes it with its result,
            ``answer`` keeps it without its arguments and answers it with one fixed error text.
        open_turn: the calls of the last assistant message still wait for their results (PAY-074).
        profile: what the provider takes, as JSON; None where it is not known. What is made for one
            provider is for sending only (PAY-146).
        positions: say where each message stood in ``messages``.

    Raises:
        ForeignFormError: the history has the form of another interface (PAY-167).
        OriginMissingError: ``profile`` names what is opaque, and no origin (PAY-158).
        ValueError: ``profile`` is no profile; the text says in one line what is wrong.
    """
    refuse_foreign_messages(messages)
    run = Run(history_profile_of(profile))
    written, skipped = clean_history(messages, disposition, open_turn, run)
    findings = run.rendered({"messages": messages})
    clean = [message for _, message in written]
    history: SanitizedHistory = {"messages": clean, "findings": findings}
    if skipped:
        history["skipped"] = skipped
    if positions:
        history["positions"] = [at for at, _ in written]
    return history


def clean_history(
    messages: Sequence[object], disposition: Disposition, open_turn: bool, run: Run
) -> tuple[list[SentMessage], int]:
    """Take the steps of PAY-143; return a history in form, and how many invalid calls went.
    Findings begin at `messages`.

    Messages are read one by one, and parted into rounds; the calls of a round are judged, and find
    their results. Of each round a `SentRound` is left: neighbours become one, calls are split or
    get their ids, and only then messages are written, with bridges between them.
    """
    flags = run.profile
    read = ((at, _kept(message, at, run)) for at, message in enumerate(messages))
    kept = [(at, message) for at, message in read if message is not None]
    if flags.system_anywhere is not True:
        kept = place_systems(kept, run)
    found = rounds(kept)
    called = [_calls(round_, messages, run) for round_ in found]
    _pair(found, called, messages, disposition, run)
    turns: list[SentRound] = []
    skipped = 0
    for round_, calls in zip(found, called, strict=True):
        if open_turn and round_ is found[-1]:
            for call in calls:  # An invalid one has its answer here already.
                call.waits = call.valid and call.result is None
        stay = [call for call in calls if not _is_skipped(call, disposition)]
        skipped += len(calls) - len(stay)
        _add_turn(turns, round_, stay, run)
    if not flags.repeated_roles:
        turns = join_neighbours(turns, run)
    if flags.calls_in_message == "one":
        turns = split_calls(turns, run)
    calling = [turn.calls for turn in turns]
    ids = sent_ids([[id_of(call.given) for call in calls] for calls in calling], flags.ids)
    for call, identifier in zip(chain(*calling), ids, strict=True):
        call.id = identifier
    sent = [placed for turn in turns for placed in _write(turn, run)]
    # What stands behind a call that waits: an assistant message there would end its turn. In texts
    # no call waits (TRN-077). There is always a turn: that of the first round, before all calls.
    open_end = len(turns[-1].others) if turns[-1].waits and not run.flattens else 0
    written = [_required(placed, run) for placed in bridged(sent, open_end, run)]
    ends = written and written[-1][1]["role"] == "assistant"
    if ends and not (flags.assistant_last or open_turn):
        # What is made here, a bridge or one of several calls, always has something behind it.
        run.report(("messages", cast(int, written[-1][0])), "assistant_last")
    return written, skipped


def _kept(message: object, at: int, run: Run) -> Message | None:
    """Return what may be sent of a message; None where it goes, which is reported.

    The first steps of PAY-143, up to the contents of the fourth.
    """
    place: Place = ("messages", at)
    if not isinstance(message, dict):
        run.report(place, "message_not_object")
        return None
    if message.get("role") not in ROLES:
        run.report(place, "role_unknown")
        return None
    clean = without(_without_misplaced(message, at, run), MARK)
    if clean["role"] == "developer" and not run.profile.developer_role:
        run.report((*place, "role"), "role_coerced")
        clean = {**clean, "role": "system"}
    from_here = is_from_here(message, run.profile)
    # A refusal beside parts that go is the content (PAY-137), and no unknown member.
    clean = without_parts(clean, place, run)
    refusal = refusal_of(clean)
    if refusal is not None and "refusal" not in run.profile.opaque_members:
        clean = {**without(clean, "refusal"), "content": refusal}
        run.report((*place, "content"), "content_coerced")
    clean = _without_blank(without_foreign(clean, from_here, place, run), at, run)
    # Reasoning, and a refusal that is opaque, go with a message that says nothing else.
    if not run.profile.blank_texts and _says_nothing(clean):
        run.report(place, "text_blank")
        return None
    if is_empty(clean):
        run.report(place, "message_empty")
        return None
    return _with_sent_content(clean, at, run)


def _without_blank(message: Message, at: int, run: Run) -> Message:
    """Return a message without blank texts, where the endpoint refuses them (PAY-240)."""
    content = message.get("content")
    if run.profile.blank_texts or message["role"] == "tool":
        return message
    # Beside calls some endpoints want an empty text, and no null.
    takes_null = content or run.profile.content_beside_calls == "any"
    is_blank_text = isinstance(content, str) and takes_null and is_blank(content)
    if is_blank_text and message.get("tool_calls"):
        run.report(("messages", at), "text_blank")
        return {**message, "content": None}
    if not isinstance(content, list):
        return message
    left = []
    for number, part in enumerate(content):
        if is_text_part(part) and is_blank(part["text"]):
            run.report(("messages", at, "content", number), "text_blank")
        else:
            left.append(part)
    return {**message, "content": left or None} if len(left) < len(content) else message


def _says_nothing(message: Message) -> bool:
    """Tell whether a message of the user or the system says nothing."""
    return message["role"] not in ("assistant", "tool") and is_silent(message.get("content"))


def _without_misplaced(message: Message, at: int, run: Run) -> Message:
    """Return a message without a legacy call, with calls only where there are some, and with a
    name only where it is a string (PAY-061).
    """
    removed = {}
    if "function_call" in message:
        removed["function_call"] = "function_call_removed"
    if "name" in message and not isinstance(message["name"], str):
        removed["name"] = "null_omitted" if message["name"] is None else "name_not_string"
    if "tool_calls" in message and not calls_of(message):
        removed["tool_calls"] = no_calls(message)
    for name, code in removed.items():
        run.report(("messages", at, name), code)
    return without(message, *removed)


def _with_sent_content(message: Message, at: int, run: Run) -> Message:
    """Return a message of the user or the system with a content that can be sent (PAY-154), its
    texts as one where that has to be a string (PAY-083).
    """
    content = message.get("content")
    if message["role"] in ("assistant", "tool"):
        return message
    sent = (content or "") if isinstance(content, list) else text_of(content)
    takes_list = message["role"] not in SYSTEM or run.profile.content_beside_calls == "any"
    if not takes_list and are_text_parts(content):
        sent = text_of_parts(content)
    if sent is content:
        return message
    run.report(("messages", at, "content"), "content_coerced")
    return {**message, "content": sent}


def _calls(round_: Round, messages: Sequence[object], run: Run) -> list[HistoryCall]:
    """Judge the calls of a round, and say what each is sent as (PAY-067, PAY-077)."""
    if round_.calling is None:
        return []
    at, message = round_.calling
    # Whether it came from here, the message as it was given says: what is kept has no mark.
    from_here = is_from_here(messages[at], run.profile)
    calls = []
    for number, one in enumerate(calls_of(message)):
        place: Place = ("messages", at, "tool_calls", number)
        check = judge_repaired(one)
        own, text = check["name"], check["arguments_json"]
        name = INVALID_NAME if own is None else sent_name(own, run.profile.name_start)
        arguments = text if check["valid"] and text is not None else "{}"
        calls.append(HistoryCall(place, one, check["valid"], own, arguments, name, from_here))
        run.findings.extend(check["findings"], below=place)
    return calls


def _is_skipped(call: HistoryCall, disposition: Disposition) -> bool:
    """Tell whether a call is removed with its result (definition "skipped call")."""
    return not call.valid and (disposition == "skip" or is_custom(call.given))


def _pair(
    found: Sequence[Round],
    called: Sequence[Sequence[HistoryCall]],
    messages: Sequence[object],
    disposition: Disposition,
    run: Run,
) -> None:
    """Give calls their results; a later one becomes the user's (PAY-071), others are reported."""
    # By its place each message of a tool, with the number of its round.
    tools = {tool[0]: (number, tool) for number, one in enumerate(found) for tool in one.tools}
    # By round the place of its first message that is no tool's: a result behind that has moved.
    between = {number: one.others[0][0] for number, one in enumerate(found) if one.others}
    for number, pairs in enumerate(paired(found, messages)):
        for call, pair in zip(called[number], pairs, strict=True):
            skipped = _is_skipped(call, disposition)
            if pair.result is not None:
                now, call.result = tools.pop(pair.result)
                if skipped:
                    run.report(("messages", pair.result), "result_of_skipped_call")
                elif now != number or between.get(now, pair.result) < pair.result:
                    run.report(("messages", pair.result), "result_moved")
            for at in pair.later:
                now, (_, message) = tools.pop(at)
                run.report(("messages", at), "result_of_skipped_call" if skipped else "result_late")
                if not skipped:
                    found[now].others.append((at, _late(message, at, call, run)))
    for at in tools:
        run.report(("messages", at), "result_orphaned")
    for one in found:
        one.others.sort(key=operator.itemgetter(0))


def _late(message: Message, at: int, call: HistoryCall, run: Run) -> Message:
    """Return a later result as what the user says (PAY-071)."""
    content = message.get("content")
    for number, part in enumerate(content if are_parts(content) else ()):
        if is_media_part(part):
            run.report(("messages", at, "content", number), "media_removed")
    # Where calls become text, their names may not be those of this turn (PAY-092).
    return {"role": "user", "content": quoted_result(message, None if run.flattens else call.name)}


def _add_turn(turns: list[SentRound], round_: Round, calls: list[HistoryCall], run: Run) -> None:
    """Add a round with the calls that stay, if anything of it is left (PAY-067, PAY-065)."""
    turn = SentRound(round_.calling, calls, [*round_.others])
    if round_.calling is not None and not calls:
        at, message = round_.calling
        message = without(message, "tool_calls")
        if is_empty(message):
            run.report(("messages", at), "message_empty")
            turns[-1].others += turn.others  # There is one: the first round has no such message.
            return
        turn.first = at, message
    if run.profile.result_media == "user" and not turn.waits:
        turn.others[:0] = _media_behind(turn.calls, run)
    turns.append(turn)


def _media_behind(calls: Sequence[HistoryCall], run: Run) -> list[SentMessage]:
    """Return the message with the media of the results of a round, if there are any (PAY-190)."""
    media: list[object] = []
    behind = None
    for call in calls:
        if call.result is None:
            continue
        at, result = call.result
        if parts := moved_parts(result.get("content"), run.profile.result_content):
            call.moves_media, behind = True, at
            media += parts
    begin = {"type": "text", "text": PARTS_OF_RESULTS}
    return [(behind, {"role": "user", "content": [begin, *media]})] if media else []


def _write(turn: SentRound, run: Run) -> list[SentMessage]:
    """Return the messages of a turn as they are sent."""
    first = [] if turn.first is None else [_calling(turn.first, turn.calls, run)]
    results = [_result(call, run) for call in turn.calls if not call.waits]
    return [*first, *results, *turn.others]


def _result(call: HistoryCall, run: Run) -> SentMessage:
    """Return the result of a call: its own, or a fixed one in its place."""
    if call.result is not None:
        return call.result[0], sent_result(call.result, call, run)
    if not call.valid:
        return None, fixed_result(call, INVALID_CALL_RESULT, run.profile)
    run.report(call.place, "result_missing")
    return None, fixed_result(call, MISSING_RESULT, run.profile)


def _calling(first: SentMessage, calls: Sequence[HistoryCall], run: Run) -> SentMessage:
    """Return an assistant message with the calls that stay; the given one where nothing changes."""
    at, message = first
    content = message.get("content")
    if not calls and not are_text_parts(content):
        return first
    sent_content = content_beside_calls(content, run.profile)
    if sent_content is not content:
        if at is not None:
            run.report(("messages", at, "content"), "content_coerced")
        message = {**message, "content": sent_content}
    if not calls:
        return at, message
    given = calls_of(message)
    sent = [sent_call(call, run) for call in calls]
    sent[0] = with_required(sent, "call", sent[0], calls[0].place, run)
    same = len(sent) == len(given) and all(map(operator.is_, sent, given))
    return at, message if same else {**message, "tool_calls": sent}


def _required(placed: SentMessage, run: Run) -> SentMessage:
    """Return a message with what the endpoint requires of the assistant's (PAY-175)."""
    at, message = placed
    if message["role"] != "assistant":
        return placed
    call = next(iter(calls_of(message)), None)
    place = None if at is None else ("messages", at)
    return at, with_required([message], "message", call, place, run)
