"""Two systems that handled calls by themselves, on this package: each in at most 60 lines of glue.

What is asked here is what their own tests and later fixes ask, in other words; what is refused on
purpose stands with its reason.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.evidence.replacements import agent, router

LINES = 60
MADE_UP = {
    "I have received the results.",
    "I have received the message.",
    "Please continue.",
    "These parts are of the results of tools, in their order.",
}


def call(identifier: Any = "a", name: Any = "read", arguments: Any = "{}", **more: Any) -> Any:
    return {
        "id": identifier,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
        **more,
    }


def ask(*calls: Any, **more: Any) -> Any:
    return {"role": "assistant", "content": None, "tool_calls": [*calls], **more}


def result(identifier: Any, content: str = "r") -> Any:
    return {"role": "tool", "tool_call_id": identifier, "content": content}


def user(content: str = "Hi") -> Any:
    return {"role": "user", "content": content}


@pytest.mark.parametrize("name", ["agent.py", "router.py"])
def test_the_glue_is_short(name: str) -> None:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES


@pytest.mark.parametrize("name", [None, "", "   "])
def test_a_call_without_a_name_is_not_stored(name: Any) -> None:
    assert not agent.is_valid_tool_call(call(name=name))


@pytest.mark.parametrize("arguments", ["", " ", "{bad}", '["a"]', '"a"', "5", '{"a": 1,}'])
def test_a_call_whose_arguments_are_no_object_is_not_stored_as_it_is(arguments: str) -> None:
    assert not agent.is_valid_tool_call(call(arguments=arguments))


@pytest.mark.parametrize("arguments", ["{}", '{"path": "a"}', None])
def test_a_call_with_an_object_or_nothing_is_stored(arguments: Any) -> None:
    assert agent.is_valid_tool_call(call(arguments=arguments))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('{"a": 1,}', '{"a": 1}'),
        ('{"a": [1, 2,]}', '{"a": [1, 2]}'),
        ('{"a": "x\ny"}', '{"a": "x\\ny"}'),
        ('{"a": "x\ty",}', '{"a": "x\\ty"}'),
        ('{"a": "it\\\'s"}', '{"a": "it\'s"}'),
        # Guesses. A write of 200 lines that is closed by a program is a file that is cut.
        ('{"a": [1, 2', None),
        ('{"path": "x", "content": "half', None),
        ("{'a': True}", None),
        ('{"a": 1} {"b": 2}', None),
        ("", None),
    ],
)
def test_arguments_are_repaired_where_they_mean_one_thing(written: str, meant: str | None) -> None:
    assert agent.repaired_arguments(call(arguments=written)) == meant


def test_of_two_calls_the_poisoned_one_goes_alone() -> None:
    messages = [user(), ask(call("a"), call("b", "")), result("a"), result("b")]
    assert agent.sanitized(messages, keep_invalid=False) == [user(), ask(call("a")), result("a")]


HISTORIES = {
    "a second id of another interface": (
        [user(), ask(call("fc_1", call_id="call_1")), result("call_1")],
        [result("fc_1")],
    ),
    "white space around an id": ([user(), ask(call("a:24")), result(" a:24")], [result("a:24")]),
    "a turn that a translator split": (
        [user(), ask(call("a")), ask(call("b")), result("a", "ra"), result("b", "rb")],
        [result("a", "ra"), result("b", "rb")],
    ),
    "ids that a server counts anew in each turn": (
        [user(), ask(call("0")), result("0", "1"), user(), ask(call("0")), result("0", "2")],
        [result("0", "1"), "2"],
    ),
    "a call with blank arguments that was run": (
        [user(), ask(call("a", arguments="")), result("a", "42 files deleted")],
        [result("a", "42 files deleted")],
    ),
    "a row of another program": (
        [user(), {"role": "session_meta", "content": "x"}, ask(call("a")), result("a")],
        [result("a")],
    ),
    "an answer of white space": ([user(), {"role": "assistant", "content": "  "}, user("?")], []),
}


@pytest.mark.parametrize("name", HISTORIES)
def test_what_a_tool_returned_is_kept_and_nothing_is_made_up(name: str) -> None:
    messages, kept = HISTORIES[name]
    sent = agent.sanitized(messages)
    results: Any = [message for message in sent if message["role"] == "tool"]
    contents = [each if isinstance(each, str) else each["content"] for each in kept]
    assert [each["content"] for each in results] == contents
    whole: Any = [each for each in kept if not isinstance(each, str)]
    assert [each for each in results if each in whole] == whole
    assert not any(message.get("content") in MADE_UP for message in sent)
    assert agent.sanitized(sent) == sent


def test_a_call_without_a_result_is_answered() -> None:
    sent = agent.sanitized([user(), ask(call("a")), user("Go on.")])
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "user"]


def test_a_strict_api_gets_no_members_of_others_and_gemini_its_signatures() -> None:
    signed = {"google": {"thought_signature": "S"}}
    given = call("a", call_id="c", response_item_id="fc", extra_content=signed)
    messages = [user(), ask(given), result("a")]
    assert agent.for_strict_api(messages) == [user(), ask(call("a")), result("a")]
    kept: Any = agent.for_strict_api(messages, is_gemini=True)
    assert kept[1]["tool_calls"] == [call("a", extra_content=signed)]
    assert messages[1] == ask(given)


def test_neighbours_are_joined_and_a_cursor_stays_right() -> None:
    messages = [user("A"), user("B"), {"role": "assistant", "content": ""}, user("C"), user("D")]
    assert agent.joined(messages, flushed=2) == ([user("A\nB\nC\nD")], 1)
    turn = [user("A"), ask(call("a")), result("a"), user("B"), user("C")]
    sent, cursor = agent.joined(turn, flushed=3)
    assert sent == [user("A"), ask(call("a")), result("a"), user("B\nC")]
    assert cursor == 3


def test_what_cannot_be_joined_is_left_and_nobody_speaks() -> None:
    messages = [{**user("A"), "name": "ann"}, {**user("B"), "name": "bob"}]
    assert agent.joined(messages, flushed=2) == (messages, 2)


TOOL = {"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}
POLICY = {
    "registry_version": "1.0",
    "revision": "1",
    "providers": {"local": {"models": {"big": {"tool_calls_supported": True}}}},
}
MESSAGES = [{"role": "user", "content": "hi"}]


def sent_by_router(model: str, **fields: Any) -> Any:
    capability = router.resolve_tool_call_capability(POLICY, "local", model)
    return router.sanitize_tool_payload(
        {"model": model, "messages": MESSAGES, **fields}, capability
    )


@pytest.mark.parametrize(
    "fields",
    [{"tool_choice": "auto"}, {"tools": [], "tool_choice": "auto"}, {"tools": {}}, {"tools": None}],
)
def test_no_choice_leaves_without_tools(fields: Any) -> None:
    assert sent_by_router("big", **fields) == {"model": "big", "messages": MESSAGES}


@pytest.mark.parametrize("model", ["unknown", "Bigger"])
def test_a_model_that_nobody_knows_has_no_tools(model: str) -> None:
    assert sent_by_router(model, tools=[TOOL], tool_choice="auto").keys() == {"model", "messages"}


def test_tools_leave_with_their_choice_and_no_none_is_put_in() -> None:
    assert sent_by_router("big", tools=[TOOL], tool_choice="auto")["tool_choice"] == "auto"
    assert "tool_choice" not in sent_by_router("big", tools=[TOOL])


def test_strict_mode_says_where_it_came_from() -> None:
    with pytest.raises(ValueError, match="before dispatch"):
        router.sanitize_tool_payload({"model": "m", "tool_choice": "auto"}, {}, "dispatch")
