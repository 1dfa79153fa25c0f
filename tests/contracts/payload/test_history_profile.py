"""Histories under every profile: what holds for any JSON, and that the work grows with the length.

What a flag forbids, the judge of `tests/evidence/request_judges` says; it knows nothing of the
reference.
"""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from commoncall.payload import ForeignFormError, roles
from commoncall.payload.history import sanitize_history
from tests import examples
from tests.contracts.finding_order import in_order
from tests.contracts.payload.test_history import (
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
from tests.evidence.request_judges.flags import COMMON, VALUES
from tests.evidence.request_judges.strict import history_violations
from tests.evidence.request_judges.test_prepared_requests import unsaid
from tests.measuring import lines_run

HERE = {"provider": "server-a", "model": "model-a"}
member_names = st.sampled_from(["reasoning", "_from", "name", "role", "content", "10", "a/b"])
_profiles: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.sampled_from(values) for name, values in VALUES.items()},
        "opaque_members": st.lists(member_names, unique=True, max_size=3),
        "readable_members": st.lists(member_names, unique=True, max_size=3),
        "origin": st.just(HERE),
    },
)
profiles = _profiles.map(
    # What names something opaque has an origin (PAY-158).
    lambda flags: {**flags, "origin": HERE} if flags.get("opaque_members") else flags
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
inputs = examples.shared(
    st.fixed_dictionaries(
        {"messages": histories | marked_histories | shaped_histories, "disposition": dispositions},
        optional={"open_turn": st.booleans(), "profile": profiles},
    )
)


def run(value: dict[str, Any], **other: Any) -> dict[str, Any]:
    given_input: dict[str, Any] = {**value, **other}
    messages = given_input.pop("messages")
    try:
        return dict(sanitize_history(messages, **given_input))
    except ForeignFormError:
        reject()  # any JSON can be a history of another interface


# --- any history, any profile ---------------------------------------------------------------------


LASTING = {"assistant_last", "bridge_missing", "opaque_missing"}
"""What is reported and not mended (PAY-085)."""


@given(inputs)
def test_the_output_is_settled_under_the_same_profile(value: dict[str, Any]) -> None:
    messages = run(value)["messages"]
    mark = {"_from": HERE} if "origin" in value.get("profile", {}) else {}
    again = run(value, messages=[{**message, **mark} for message in messages])
    assert {one["code"] for one in again["findings"]} <= LASTING
    assert repr(again["messages"]) == repr(messages)


@given(inputs)
def test_the_output_has_the_form_that_the_profile_asks_for(value: dict[str, Any]) -> None:
    result = run(value)
    messages = result["messages"]
    is_open = value.get("open_turn", False)
    assert well_paired(messages, is_open) or value.get("profile", {}).get("ids") == "verbatim"
    if "profile" in value:
        profile = value["profile"]
        found = history_violations(messages, profile=profile, open_turn=is_open)
        assert unsaid(found, result) == []
        unmarked = [_unmarked(message) for message in value["messages"]]
        foreign = set(profile.get("opaque_members", ())) - {"role", "content", "name"}
        assert not any(
            message.keys() & foreign for message in run(value, messages=unmarked)["messages"]
        )
    assert not any("_from" in message for message in messages)


@given(inputs)
def test_findings_tell_whether_anything_changed(value: dict[str, Any]) -> None:
    before = copy.deepcopy(value)
    result = run(value)
    assert repr(value) == repr(before)  # The input stays as it was.
    findings = [one for one in result["findings"] if one["code"] not in LASTING]
    given_messages = [_unmarked(message) for message in value["messages"]]
    same = repr(result["messages"]) == repr(given_messages)
    assert findings == [] or not same
    # What only moves is none, and neither are marks and the name that a profile wants in a result.
    assert findings != [] or unordered(result["messages"]) == unordered(given_messages)
    findings = result["findings"]
    assert findings == in_order(findings)
    assert len({(one["path"], one["code"]) for one in findings}) == len(findings)


def _unmarked(message: Any) -> Any:
    if not isinstance(message, dict):
        return message
    return {name: value for name, value in message.items() if name != "_from"}


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
    profile = {**COMMON, "opaque_members": ["reasoning"], "origin": HERE}
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


@pytest.mark.parametrize(
    "profile", [None, {"opaque_members": ["reasoning"], "origin": HERE}, {"ids": "verbatim"}]
)
@pytest.mark.parametrize("family", GROWING)
def test_the_work_grows_with_the_length(family: str, profile: dict[str, Any] | None) -> None:
    def of(length: int) -> int:
        messages = GROWING[family](length)
        return lines_run(lambda: sanitize_history(messages, disposition="answer", profile=profile))

    assert of(40) <= 4.2 * of(10)


@pytest.mark.parametrize("role", ["user", "assistant", "system"])
def test_each_part_is_looked_at_a_few_times_where_messages_are_joined(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are joined to one: none is copied, or asked again, for each other one."""
    looked = 0

    def counted(name: str) -> None:
        work = getattr(roles, name)

        def count(content: Any, *rest: Any) -> Any:
            nonlocal looked
            looked += len(content["content"] if isinstance(content, dict) else content)
            return work(content, *rest)

        monkeypatch.setattr(roles, name, count)

    for name in ("opaque_names", "_elements"):
        counted(name)
    part = {"type": "text", "text": "a"}
    messages = [{"role": role, "content": [part]} for _ in range(500)]
    profile = {"repeated_roles": False, "system_anywhere": True, "content_beside_calls": "any"}
    sent = sanitize_history(messages, disposition="answer", profile=profile)["messages"]
    contents = [each["content"] for each in sent]
    assert [len(each) for each in contents if isinstance(each, list)] == [500]
    assert 500 <= looked < 5000
