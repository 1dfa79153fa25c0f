"""What a turn stores goes back to where it came from whole, and elsewhere without what is opaque.

The laws of TRN-044 to TRN-035 and PAY-085, over every message of the suite and generated ones,
under every profile of the repository.
"""

import copy
import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.dialect_data import profile_ids, read_profile
from commoncall.envelope import Env
from commoncall.payload.foreign_members import WIRE
from commoncall.payload.history import sanitize_history
from commoncall.payload.parts import is_media_part
from commoncall.turn import OPERATIONS
from commoncall.turn.settle import settle
from tests import shared
from tests.contracts.turn.test_turn import SECRET, calls, leaked, outcomes, receive_inputs

Profile = dict[str, Any]

RECEIVE: Final = OPERATIONS["turn.receive"]
HERE: Final = {"provider": "server-a", "model": "model-a"}
THERE: Final = {"provider": "server-a", "model": "model-b"}

NOTES: Final = {
    *("arguments_coerced", "bridge_inserted", "calls_split", "content_coerced", "id_replaced"),
    *("messages_joined", "name_coerced", "null_omitted", "role_coerced", "tool_calls_empty"),
    "type_coerced",
}
"""The codes of a history that say that its form changed, and that nothing was mended or lost."""

TAKEN_BACK: Final = {
    *("bridge_inserted", "calls_split", "content_coerced", "id_replaced", "name_coerced"),
}
"""What TRN-043 admits, of a profile that requires nothing and takes each end."""


def profiles() -> dict[str, Profile]:
    """Return every profile of the repository, and some that name more, with an origin."""
    found: dict[str, Profile] = {name: read_profile(name)["flags"] for name in profile_ids()}
    names = {"opaque_members": ["r", "extra_content"]}
    found |= {
        "strict": names,
        "verbatim": {**names, "ids": "verbatim", "unknown_members": "any"},
        "alternating": {**found["llama-cpp-alternating"], **names},
        "one call": {**found["llama-cpp-llama-3"], **names},
    }
    return {name: {**flags, "origin": HERE} for name, flags in found.items()}


def with_opaque(value: dict[str, Any], profile: Profile) -> dict[str, Any]:
    """Return an input of `turn.receive` under a profile, with something opaque in every place."""
    value = copy.deepcopy(value)
    message = value["message"]
    names = profile.get("opaque_members", [])
    native = message["tool_calls"] or []
    objects = [message, *(call for call in native if isinstance(call, dict))]
    objects += [
        call["function"]
        for call in native
        if isinstance(call, dict) and isinstance(call.get("function"), dict)
    ]
    for number, one in enumerate(objects):
        one |= {name: {"signature": [f"{SECRET}{number}", None]} for name in names}
    return {**value, "profile": profile}


def opaque_values(messages: Any, profile: Profile) -> list[str]:
    """Return everything opaque in a history, in its order."""
    names = set(profile.get("opaque_members", [])) - WIRE
    found: list[Any] = []
    for message in unmarked(messages):
        native = message.get("tool_calls", [])
        for one in [message, *native, *(call["function"] for call in native)]:
            found += [(name, one[name]) for name in sorted(names) if name in one]
    return [json.dumps(one, sort_keys=True) for one in found]


def unmarked(messages: Any) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in message.items() if name != "_from"} for message in messages
    ]


def hold_laws(received: Any, told: list[Any], profile: Profile) -> list[str]:
    """Hold a settled turn to the laws, and return what is opaque in its history."""
    end: Any = settle(received, told, profile)
    history = end["history"]
    media = holds_media(history)
    logged = [received["findings"], received["planned"], end["events"], end["metrics"]]
    logged += end.get("findings", [])
    assert SECRET not in json.dumps(logged, ensure_ascii=False)
    carried = opaque_values(history, profile)
    # What is put in looks like what was carried, and an end is reported each time.
    profile = {**profile, "opaque_required": {}, "assistant_last": True}
    elsewhere = {**profile, "origin": THERE}
    for disposition in ("skip", "answer"):
        # S1: without a profile nothing changes but the mark.
        bare: Any = sanitize_history(history, disposition=disposition)
        if not media:
            assert bare == {"messages": unmarked(history), "findings": []}
        # S2: where it came from, form alone changes.
        back: Any = sanitize_history(history, disposition=disposition, profile=profile)
        codes = {finding["code"] for finding in back["findings"]}
        moved = {"media_moved", "result_content_coerced"} if media else set()
        if profile.get("blank_texts") is False:
            moved.add("text_blank")  # an empty text is stored as it came
        assert codes <= TAKEN_BACK | moved
        assert codes <= NOTES | moved
        assert opaque_values(back["messages"], profile) == carried
        assert "skipped" not in back
        # S3: elsewhere it loses what is opaque besides, each with a finding.
        away: Any = sanitize_history(history, disposition=disposition, profile=elsewhere)
        lost = [each for each in away["findings"] if each["code"] == "opaque_removed"]
        assert {each["code"] for each in away["findings"]} - {"opaque_removed"} <= (
            TAKEN_BACK | moved
        )
        assert len(lost) == len(carried)
        assert opaque_values(away["messages"], profile) == []
        # S4: again, nothing.
        for result, given_profile in ((back, profile), (away, elsewhere)):
            marked = [{**each, "_from": given_profile["origin"]} for each in result["messages"]]
            again = sanitize_history(marked, disposition=disposition, profile=given_profile)
            assert again == {"messages": result["messages"], "findings": []}
    return carried


def holds_media(history: Any) -> bool:
    """Tell whether a history has media, which go where no profile lets them stay (TRN-044)."""
    contents = [each["content"] for each in history if isinstance(each["content"], list)]
    return any(is_media_part(part) for content in contents for part in content)


CONTENTS: Final[list[Any]] = [
    "one",
    [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
    [{"type": "image_url", "image_url": {"url": SECRET}}, {"type": "image", "data": SECRET}],
    [{"type": "other"}],
    None,
]


def told_of(received: Any) -> list[dict[str, Any]]:
    return [
        {"seq": call["seq"], "status": "ok", "content": CONTENTS[number % len(CONTENTS)]}
        for number, call in enumerate(received["dispatch"])
    ]


def test_messages_of_the_suite_come_back(root: Path) -> None:
    """Each under a third of the profiles; the session `fuzz` asks all of them."""
    carried, messages = come_back(root, thirds=1)
    assert messages > 400
    assert carried > 200


def come_back(root: Path, thirds: int) -> tuple[int, int]:
    """Return how many opaque values were carried, of how many messages."""
    carried = messages = 0
    named = [each for each in profiles().values() if "origin" in each]
    for number, case in enumerate(shared.suite().cases):
        value: Any = case.input
        if case.operation.name != "turn.receive" or "result" not in case.expect:
            continue
        own = value.get("profile")
        some = [each for at, each in enumerate(named) if (at + number) % 3 < thirds]
        for profile in [own] if own else some:
            if "origin" not in profile:
                continue
            flags = {**profile, "origin": HERE}
            asked = {**value, "profile": flags} if own else with_opaque(value, flags)
            received: Any = RECEIVE(asked, Env([f"n{at}" for at in range(99)]))["result"]
            carried += len(hold_laws(received, told_of(received), flags))
            messages += 1
    return carried, messages


def test_histories_of_the_suite_are_replayed() -> None:
    for case in shared.suite().cases:
        if case.operation.name == "turn.settle" and "result" in case.expect:
            result: Any = case.expect["result"]
            if holds_media(result["history"]):
                continue
            clean = sanitize_history(result["history"], disposition="answer")
            assert clean == {"messages": unmarked(result["history"]), "findings": []}, case.id


@pytest.fixture(scope="module")
def every_profile() -> list[Profile]:
    return list(profiles().values())


parts = st.sampled_from(
    [
        {"type": "text", "text": "a"},
        {"type": "thinking", "thinking": SECRET},
        {"type": "other", "x": SECRET},
        7,
    ]
)
told_outcomes = st.tuples(outcomes, st.sampled_from(CONTENTS) | st.none()).map(
    lambda pair: pair[0] if pair[1] is None else {**pair[0], "content": pair[1]}
)
generated = st.tuples(
    receive_inputs,
    st.fixed_dictionaries(
        {},
        optional={
            "text": st.none() | leaked | st.lists(parts, max_size=4),
            "refusal": st.sampled_from([None, "", "No."]),
            "function_call": st.just({"name": SECRET}),
            "tool_calls": st.lists(calls, max_size=3),
        },
    ),
    st.booleans(),
)


@given(generated, st.lists(told_outcomes, max_size=3), st.data())
def test_any_message_comes_back(
    every_profile: list[Profile],
    pair: Any,
    given_outcomes: list[dict[str, Any]],
    data: st.DataObject,
) -> None:
    value, more, adds = pair
    profile = data.draw(st.sampled_from(every_profile))
    value = {**value, "message": {**value["message"], **more}}
    value = with_opaque(value, profile) if adds else {**value, "profile": profile}
    received: Any = RECEIVE(value, Env([f"n{at}" for at in range(40)]))["result"]
    told = [
        {"seq": call["seq"], **outcome}
        for call, outcome in zip(received["dispatch"], given_outcomes, strict=False)
    ]
    hold_laws(received, told, profile)
