"""Histories under every profile: what holds for any JSON, and that the work grows with the length.

`fits` is a judge of its own: it knows what each flag forbids, and nothing of the reference.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.payload import sanitize_history
from commoncall.payload.history import _mended
from commoncall.payload.profile import UNPROFILED
from commoncall.payload.sanitizing import Run
from commoncall.payload.settled import is_settled
from tests.finding_order import in_order
from tests.measuring import lines_run
from tests.test_payload_history import (
    SECRET,
    assistants,
    dispositions,
    histories,
    json_values,
    others,
    results,
    texts,
    well_paired,
)

HERE = {"provider": "server-a", "model": "model-a"}
OPEN = {
    "ids": "any",
    "content_beside_calls": "any",
    "result_content": "any",
    "result_name": "any",
    "developer_role": True,
    "repeated_roles": True,
    "calls_in_message": "any",
    "user_after_tool": True,
    "system_anywhere": True,
    "unknown_members": "any",
    "name_start": "any",
}

member_names = st.sampled_from(["reasoning", "_from", "name", "role", "content", "10", "a/b"])
profiles = st.fixed_dictionaries(
    {},
    optional={
        "ids": st.sampled_from(["any", "verbatim", "word_64", "word_40", "alphanumeric_9"]),
        "content_beside_calls": st.sampled_from(["any", "string"]),
        "result_content": st.sampled_from(["any", "parts", "string"]),
        "result_name": st.sampled_from(["any", "call", "none"]),
        "developer_role": st.booleans(),
        "repeated_roles": st.booleans(),
        "calls_in_message": st.sampled_from(["any", "one"]),
        "user_after_tool": st.booleans(),
        "system_anywhere": st.booleans(),
        "unknown_members": st.sampled_from(["any", "none"]),
        "name_start": st.sampled_from(["any", "letter"]),
        "opaque_members": st.lists(member_names, unique=True, max_size=3),
        "opaque_parts": st.just(["thinking", "text"]),
        "origin": st.just(HERE),
        "origin_member": member_names,
    },
)
marks = st.sampled_from([HERE, {**HERE, "model": "model-b"}, {**HERE, "api": "x"}, None])
parts = st.sampled_from(
    [
        {"type": "text", "text": "a"},
        {"type": "thinking", "thinking": "x"},
        {"type": "other"},
        {"text": "b"},
    ]
)
marked = st.tuples(
    assistants | results | others,
    st.fixed_dictionaries(
        {},
        optional={
            "_from": marks,
            "reasoning": json_values,
            "a/b": json_values,
            "10": json_values,
            "content": st.lists(parts, max_size=3),
        },
    ),
).map(lambda pair: {**pair[0], **pair[1]})
marked_histories = st.lists(marked | assistants | results | others | json_values, max_size=10)


def shape(role: str, content: object = "a", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def shaped_call(identifier: str, arguments: str = "{}", **more: Any) -> dict[str, Any]:
    function = {"name": "read", "arguments": arguments, **more}
    return {"id": identifier, "type": "function", "function": function}


A, B, BROKEN = shaped_call("a"), shaped_call("b"), shaped_call("b", "{")
SIGNED = shaped_call("a", reasoning="a")
SHAPES = [
    shape("user"),
    shape("user", None),
    shape("user", [{"type": "text", "text": "a"}]),
    shape("user", name="b"),
    shape("system"),
    shape("developer"),
    shape("assistant"),
    shape("assistant", 5, name="b"),
    shape("assistant", [{"type": "text", "text": "a"}, {"type": "thinking"}]),
    shape("assistant", reasoning="a"),
    shape("assistant", reasoning="a", _from=HERE),
    shape("assistant", None, tool_calls=[A]),
    shape("assistant", tool_calls=[A, A]),
    shape("assistant", [], tool_calls=[A, BROKEN, shaped_call("c")]),
    shape("assistant", None, tool_calls=[BROKEN]),
    shape("assistant", tool_calls=[B, SIGNED]),
    shape("assistant", tool_calls=[SIGNED, B], _from=HERE),
    shape("tool", tool_call_id="a"),
    shape("tool", [{"type": "image", "data": "x"}], tool_call_id="b"),
    shape("tool", tool_call_id="c", name="other"),
]
"""Messages of which any few in any order are a history that nearly makes sense."""

shaped_histories = st.lists(st.sampled_from(SHAPES), max_size=9).map(copy.deepcopy)
inputs = st.fixed_dictionaries(
    {"messages": histories | marked_histories | shaped_histories, "disposition": dispositions},
    optional={"open_turn": st.booleans(), "profile": profiles},
)


def run(value: dict[str, Any], **other: Any) -> dict[str, Any]:
    given_input: dict[str, Any] = {**value, **other}
    messages = given_input.pop("messages")
    return dict(sanitize_history(messages, **given_input))


STRICT = {
    "ids": "alphanumeric_9",
    "content_beside_calls": "string",
    "result_content": "string",
    "result_name": "call",
    "developer_role": False,
    "repeated_roles": False,
    "calls_in_message": "one",
    "user_after_tool": False,
    "system_anywhere": False,
    "unknown_members": "none",
    "name_start": "letter",
    "opaque_members": [],
    "opaque_parts": [],
}
FORMS = {
    "word_64": "[A-Za-z0-9_-]{1,64}",
    "word_40": "[A-Za-z0-9_-]{1,40}",
    "alphanumeric_9": "[A-Za-z0-9]{9}",
}
STARTS = {"any": "", "letter": "[A-Za-z]"}
MEMBERS = {"assistant": {"tool_calls"}, "tool": {"tool_call_id", "name"}}


SYSTEM = ("system", "developer")


def has_one(members: dict[str, Any], names: set[str]) -> bool:
    """Tell whether a message, a call or the function of a call has a member of these."""
    return bool((members.keys() | members.get("function", {}).keys()) & names)


def fits(messages: list[dict[str, Any]], profile: dict[str, Any], waiting: bool) -> set[str]:
    """Say which flags a history breaks; ``waiting`` says that a call waits at its end."""
    flags = {**STRICT, **profile}
    names: dict[str, str] = {}
    broken = set()
    for at, message in enumerate(messages):
        role, content = message["role"], message.get("content")
        before = messages[at - 1]["role"] if at else None
        calls = message.get("tool_calls", [])
        names |= {call["id"]: call["function"]["name"] for call in calls}
        signed = isinstance(content, list) and flags["opaque_parts"] and "origin" in flags
        known = {"role", "content", *MEMBERS.get(role, ()), *flags["opaque_members"]}
        foreign = set(flags["opaque_members"]) - {"role", "content", "name"}
        signs = signed or any(has_one(one, foreign) for one in (message, *calls))
        others = [one["role"] for one in messages[:at] if one["role"] not in SYSTEM]
        breaks = {
            "ids": not all(
                re.fullmatch(FORMS.get(flags["ids"], "(?s:.)*"), x["id"]) for x in calls
            ),
            "name_start": not all(
                re.match(STARTS[flags["name_start"]], names[x["id"]]) for x in calls
            ),
            "content_beside_calls": flags["content_beside_calls"] == "string"
            and bool(calls)
            and not isinstance(content, str)
            and not signed,
            "result_content": flags["result_content"] == "string"
            and role == "tool"
            and not isinstance(content, str),
            "result_name": role == "tool"
            and (
                (flags["result_name"] == "none" and "name" in message)
                or (
                    flags["result_name"] == "call"
                    and message.get("name") != names[message["tool_call_id"]]
                )
            ),
            "developer_role": flags["developer_role"] is False and role == "developer",
            "repeated_roles": flags["repeated_roles"] is False
            and (
                (role == "user" == before and not waiting)
                or (role == "assistant" and (not others or before == "assistant"))
            ),
            "calls_in_message": flags["calls_in_message"] == "one"
            and len(calls) > 1
            and not signs
            and not waiting,
            "user_after_tool": not (flags["user_after_tool"] and flags["repeated_roles"])
            and before == "tool"
            and role not in ("assistant", "tool")
            and not waiting,
            "system_anywhere": flags["system_anywhere"] is False
            and role in ("system", "developer")
            and before not in (None, "system", "developer"),
            "unknown_members": flags["unknown_members"] == "none" and not message.keys() <= known,
            "opaque_members": "origin" not in flags and bool(message.keys() & foreign),
        }
        broken |= {name for name, is_broken in breaks.items() if is_broken}
    return broken


# --- any history, any profile ---------------------------------------------------------------------


@given(inputs)
def test_the_output_is_settled_under_the_same_profile(value: dict[str, Any]) -> None:
    messages = run(value)["messages"]
    profile = value.get("profile", {})
    unmarked = {name: flag for name, flag in profile.items() if name != "origin_member"}
    again = run(value, messages=messages, **({"profile": unmarked} if "profile" in value else {}))
    assert again["findings"] == []
    assert repr(again["messages"]) == repr(messages)


@given(inputs)
def test_the_output_has_the_form_that_the_profile_asks_for(value: dict[str, Any]) -> None:
    messages = run(value)["messages"]
    is_open = value.get("open_turn", False)
    assert well_paired(messages, is_open) or value.get("profile", {}).get("ids") == "verbatim"
    if "profile" in value:
        calls = sum(len(message.get("tool_calls", [])) for message in messages)
        answers = sum(message["role"] == "tool" for message in messages)
        assert fits(messages, value["profile"], answers < calls) == set()


@given(inputs)
def test_findings_tell_whether_anything_changed(value: dict[str, Any]) -> None:
    before = copy.deepcopy(value)
    result = run(value)
    assert repr(value) == repr(before)  # The input stays as it was.
    findings = result["findings"]
    same = repr(result["messages"]) == repr(value["messages"])
    assert findings == [] or not same
    # What only moves is none, and neither is the name that a profile wants in a result.
    assert findings != [] or unordered(result["messages"]) == unordered(value["messages"])
    assert findings == in_order(findings)
    assert len({(one["path"], one["code"]) for one in findings}) == len(findings)


def unordered(messages: list[dict[str, Any]]) -> list[str]:
    return sorted(repr(sorted((message | {"name": 0}).items())) for message in messages)


@given(inputs, texts)
def test_no_finding_tells_what_a_history_holds(value: dict[str, Any], text: str) -> None:
    secret = f"{text}{SECRET}"
    function = {"name": "login", "arguments": "{}", secret: secret, "reasoning": secret}
    value["messages"] += [
        {"role": "assistant", secret: secret, "tool_calls": [{"id": secret, "function": function}]},
        {"role": "tool", "tool_call_id": secret, "name": secret, "content": secret, secret: 1},
        {"role": "assistant", "content": [{"type": secret}, secret], "_from": {"provider": secret}},
    ]
    value["profile"] = {**value.get("profile", {}), "unknown_members": "none"}
    assert SECRET not in json.dumps(run(value)["findings"])


@given(histories | marked_histories | shaped_histories, st.booleans(), st.booleans())
def test_what_is_settled_is_what_mending_leaves_alone(
    messages: list[Any], open_turn: bool, mended_first: bool
) -> None:
    if mended_first:
        messages, _ = _mended(messages, "skip", open_turn, Run(UNPROFILED))
    run = Run(UNPROFILED)
    mended, _ = _mended(messages, "answer", open_turn, run)
    same = repr(mended) == repr(messages)
    assert is_settled(messages, open_turn=open_turn) == same
    assert run.findings.rendered() == [] or not same


# --- in Python ------------------------------------------------------------------------------------


def rounds_of(length: int) -> list[dict[str, Any]]:
    """Return a clean history of that many rounds, which every profile takes but for its ids."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Be brief."}]
    for number in range(length):
        identifier = f"x{number:08d}"
        call = {
            "id": identifier,
            "type": "function",
            "function": {"name": "read", "arguments": "{}"},
        }
        messages += [
            {"role": "user", "content": "Read."},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": identifier, "name": "read", "content": "one"},
            {"role": "assistant", "content": "Done."},
        ]
    return messages


@pytest.mark.parametrize("profile", [None, {}])
@pytest.mark.parametrize("broken", [None, "call", "result"])
def test_messages_that_stay_are_the_objects_that_were_given(
    profile: dict[str, Any] | None, broken: str | None
) -> None:
    messages = rounds_of(4)
    touched = set()
    if broken == "call":
        messages[6]["tool_calls"][0]["type"] = "tool"
        touched = {6}
    elif broken == "result":
        messages[7]["content"] = None
        touched = {7}
    result = sanitize_history(messages, disposition="answer", profile=profile)["messages"]
    assert len(result) == len(messages)
    assert {at for at, message in enumerate(result) if message is not messages[at]} == touched


def test_calls_that_stay_are_the_objects_that_were_given() -> None:
    (_, _, message, result, _) = rounds_of(1)
    second = {"id": "y", "function": {"name": "read", "arguments": "{}"}}
    message = {**message, "tool_calls": [message["tool_calls"][0], second]}
    sent = sanitize_history([message, result], disposition="answer")["messages"][0]
    calls: Any = sent["tool_calls"]
    assert calls[0] is message["tool_calls"][0]


@pytest.mark.parametrize(
    "profile", [{"id": "any"}, {"ids": "short"}, {"origin": None}, {"opaque_members": [""]}]
)
def test_what_is_no_profile_is_a_mistake_of_the_caller(profile: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^profile: .+$") as raised:
        sanitize_history([], disposition="skip", profile=profile)
    assert "\n" not in str(raised.value)


def test_a_mark_is_compared_as_a_whole() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    message = {"role": "assistant", "content": "a", "reasoning": deep, "_from": HERE}
    profile = {**OPEN, "opaque_members": ["reasoning"], "origin": HERE, "origin_member": "_from"}
    (sent,) = sanitize_history([message], disposition="skip", profile=profile)["messages"]
    assert sent["reasoning"] is deep


# --- how the work grows ---------------------------------------------------------------------------


def _call(identifier: object) -> dict[str, Any]:
    return {"id": identifier, "function": {"name": "fs.read", "arguments": '{"a": [1, 2]}'}}


GROWING: dict[str, Callable[[int], list[Any]]] = {
    "clean": rounds_of,
    "one id for all": lambda n: [
        message
        for _ in range(n)
        for message in (
            {"role": "assistant", "tool_calls": [_call("call_0")]},
            {"role": "tool", "tool_call_id": "call_0", "content": None},
        )
    ],
    "one message of many calls": lambda n: [
        {"role": "assistant", "tool_calls": [_call("") for _ in range(n)]},
        *({"role": "tool", "content": "one"} for _ in range(n)),
    ],
    "taken numbers": lambda n: [
        {"role": "assistant", "tool_calls": [_call(None) for _ in range(n)]},
        {"role": "assistant", "tool_calls": [_call(f"c{at:08d}") for at in range(n)]},
    ],
    "orphans": lambda n: [{"role": "tool", "tool_call_id": str(at)} for at in range(n)],
    "system messages": lambda n: [
        {"role": role, "content": "a"} for _ in range(n) for role in ("user", "system")
    ],
    "bridges": lambda n: [
        message
        for at in range(n)
        for message in (
            {"role": "assistant", "tool_calls": [_call(str(at))]},
            {"role": "user", "content": "a"},
        )
    ],
    "foreign members": lambda n: [
        {"role": "assistant", "content": [{"type": "thinking"}, "b"], "reasoning": "a", "x": 1}
        for _ in range(n)
    ],
}


@pytest.mark.parametrize("profile", [None, {"opaque_members": ["reasoning"]}, {"ids": "verbatim"}])
@pytest.mark.parametrize("family", GROWING)
def test_the_work_grows_with_the_length(family: str, profile: dict[str, Any] | None) -> None:
    def of(length: int) -> int:
        messages = GROWING[family](length)
        return lines_run(lambda: sanitize_history(messages, disposition="answer", profile=profile))

    assert of(160) <= 4.2 * of(40)
