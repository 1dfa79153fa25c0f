"""Foreign forms beyond the fixtures: what is Chat Completions is never refused for its form."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.payload import OPERATIONS, ForeignForm, ForeignFormError, sanitize_history

CODE = "form_not_chat_completions"
HISTORIES = ("payload.sanitize_history", "payload.flatten_history")
SUITES = ("payload/request-*", "payload/history-*", "payload/flatten-*", "turn/prepare*")


def cases(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for pattern in SUITES:
        for file in sorted((root / "fixtures/v1").glob(f"{pattern}.json")):
            for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
                if "input" in case:  # a few are made by the kit
                    yield file.stem, case


def is_refused(operation: str, value: dict[str, Any]) -> bool:
    outcome: Any = OPERATIONS[operation](value, Env())
    return bool(outcome.get("error", {}).get("code") == CODE)


def histories_of(value: Any) -> Iterator[list[Any]]:
    request = value.get("request") if isinstance(value, dict) else None
    for holder in (value, request):
        if isinstance(holder, dict) and isinstance(holder.get("messages"), list):
            yield holder["messages"]


def test_no_other_case_has_a_sign_anywhere(root: Path) -> None:
    """What any case of Chat Completions sends is refused by none of the operations."""
    seen = 0
    for suite, case in cases(root):
        if suite.endswith("-foreign"):
            continue
        for messages in histories_of(case["input"]):
            seen += 1
            history = {"messages": messages, "disposition": "skip"}
            assert not is_refused("payload.sanitize_history", history), case["id"]
            history = {"messages": messages, "form": "quoted"}
            assert not is_refused("payload.flatten_history", history), case["id"]
        if isinstance(case["input"], dict) and "request" in case["input"]:
            seen += 1
            request = {"request": case["input"]["request"], "capability": None}
            assert not is_refused("payload.sanitize_request", request), case["id"]
    assert seen > 800


def test_every_form_is_refused_in_a_request_and_in_each_history(root: Path) -> None:
    found: dict[str, set[str]] = {}
    for suite, case in cases(root):
        error = case["expect"].get("error", {})
        if error.get("code") == CODE:
            found.setdefault(suite, set()).add(error["form"])
    assert found.keys() >= {"request-foreign", "history-foreign", "flatten-foreign"}
    for suite, forms in found.items():
        # A history of Ollama is not told from one of Chat Completions.
        assert forms | {"ollama-chat"} == set(get_args(ForeignForm)), suite


texts = st.text(max_size=6)
words = st.one_of(
    texts,
    st.none(),
    st.lists(
        st.one_of(
            st.builds(lambda text: {"type": "text", "text": text}, texts),
            st.just({"type": "image_url", "image_url": {"url": "x"}}),
            st.just({"type": "refusal", "refusal": "toolUse"}),
        ),
        max_size=3,
    ),
)
members: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from(["type", "parts", "input", "contents", "toolUse", "functionCall"]),
    st.sampled_from(["function_call", "tool_use", None, [], {}]),
    max_size=2,
)
messages = st.builds(
    lambda role, content, more: {**more, "role": role, "content": content},
    st.sampled_from(["system", "developer", "user", "assistant", "tool"]),
    words,
    members,
)
tools = st.builds(
    lambda name, more: {**more, "type": "function", "function": {"name": name}},
    texts,
    st.dictionaries(
        st.sampled_from(["name", "parameters", "input_schema", "functionDeclarations"]),
        st.sampled_from(["a", {}, []]),
        max_size=3,
    ),
)
others = st.sampled_from([{"type": "web_search"}, {"name": "a", "input_schema": {}}, None])


@given(st.lists(messages, max_size=4), st.lists(tools, min_size=1, max_size=3), others, members)
def test_chat_completions_with_unknown_members_are_never_refused(
    history: list[Any], functions: list[Any], other: Any, more: dict[str, Any]
) -> None:
    request = {**more, "messages": history, "tools": [other, *functions]}
    for capability in ({"tool_calls_supported": True}, None):
        assert not is_refused(
            "payload.sanitize_request", {"request": request, "capability": capability}
        )
    assert not is_refused(HISTORIES[0], {"messages": history, "disposition": "answer"})
    assert not is_refused(HISTORIES[1], {"messages": history, "form": "blocks"})


def test_in_python_it_is_an_exception_with_the_name_and_the_place() -> None:
    said = f"^{CODE}: /messages/0 has the form openai-responses$"
    with pytest.raises(ForeignFormError, match=said) as caught:
        sanitize_history([{"type": "function_call"}], disposition="skip")
    assert caught.value.error == {"code": CODE, "form": "openai-responses", "path": "/messages/0"}
