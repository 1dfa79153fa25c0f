"""Histories beyond the fixtures: what holds for any JSON, and the functions in Python.

`well_paired` is a judge of its own: it knows what strict providers refuse, and nothing of the
reference.
"""

import json
import re
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.extraction import extract
from commoncall.json_text import JSON_SPACE, is_blank
from commoncall.payload import OPERATIONS, fixed_texts, sent_name
from commoncall.payload.flatten import flatten_history
from commoncall.payload.foreign_form import is_ollama_call
from commoncall.payload.history import sanitize_history
from commoncall.payload.tool_call import check_tool_call
from tests import examples, shared
from tests.contracts.finding_order import in_order

SANITIZE = "payload.sanitize_history"
FLATTEN = "payload.flatten_history"
SECRET = "zq9secret"

any_character = st.characters(exclude_categories=())  # Surrogates too: harnesses can deliver them.
texts = st.text(any_character, max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(texts | st.just("role"), inner, max_size=3)
        ),
        max_leaves=8,
    )
)


def members(**strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have any of the members, so that most examples come deep into the judgement."""
    return st.fixed_dictionaries({}, optional=strategies)


ids = st.sampled_from(["a", "b", "", " ", "c00000000", "c00000001", None, 5]) | texts
names = st.sampled_from(["read", "fs.read", "", " ", "x" * 65]) | texts | json_values
argument_texts = st.sampled_from(["{}", '{"a": 1}', "", "{", "[]", "null", "\n{ }\t"])
functions = members(name=names, arguments=argument_texts | json_values, extra=json_values)
# One of Ollama, an object of arguments without id and type, refuses the whole history.
calls = json_values | members(
    id=ids, type=st.just("function") | json_values, function=functions
).filter(lambda call: not is_ollama_call(call))
contents: st.SearchStrategy[Any] = st.sampled_from([None, "", "one", []]) | json_values
part = st.fixed_dictionaries({"type": st.just("text"), "text": texts}) | st.sampled_from(
    [
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "image", "data": "x"},
        {"type": "file", "path": "x"},
    ]
)
parts = st.lists(part, max_size=2)
assistants = st.fixed_dictionaries(
    {"role": st.just("assistant")},
    optional={
        "content": contents | parts,
        "tool_calls": st.lists(calls, max_size=4) | json_values,
        "function_call": json_values,
    },
)
results = st.fixed_dictionaries(
    {"role": st.just("tool")},
    optional={"tool_call_id": ids, "content": contents | parts, "name": names},
)
others = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "developer", "user", "function"])},
    optional={"content": contents | parts, "tool_calls": json_values, "name": names},
)
histories = examples.shared(st.lists(assistants | results | others | json_values, max_size=10))
dispositions = st.sampled_from(["skip", "answer"])
forms = st.sampled_from(["quoted", "blocks"])
sanitize_inputs = st.fixed_dictionaries(
    {"messages": histories, "disposition": dispositions}, optional={"open_turn": st.booleans()}
)
flatten_inputs = st.fixed_dictionaries(
    {"messages": histories, "form": forms},
    optional={"effective": st.lists(st.sampled_from(["read", "fs.read"]) | texts, max_size=3)},
)


def run(operation: str, value: object) -> dict[str, Any]:
    """Run an operation and return its result; the input is good."""
    outcome = OPERATIONS[operation](value, Env([]))
    assert list(outcome) == ["result"], outcome
    return dict(outcome["result"])


def well_paired(messages: list[dict[str, Any]], open_turn: bool) -> bool:
    """Tell whether each call has exactly one result directly behind it, and ids are unique."""
    seen: set[str] = set()
    waiting: set[str] = set()
    calling = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.remove(message["tool_call_id"])
            continue
        # Nothing but its results stands behind a call; the last round may be open.
        if waiting and not (open_turn and calling and at > calling[-1]):
            return False
        waiting = {call["id"] for call in message.get("tool_calls", [])}
        if len(waiting) != len(message.get("tool_calls", [])) or waiting & seen:
            return False
        if any(is_blank(identifier) for identifier in waiting):
            return False
        seen |= waiting
    return open_turn or not waiting


# --- both operations ------------------------------------------------------------------------------


@given(sanitize_inputs)
def test_every_sanitized_history_fits_its_schema(value: dict[str, Any]) -> None:
    assert shared.faults_of_result(SANITIZE, run(SANITIZE, value)) == []


@given(flatten_inputs)
def test_every_flattened_history_fits_its_schema(value: dict[str, Any]) -> None:
    assert shared.faults_of_result(FLATTEN, run(FLATTEN, value)) == []


@given(sanitize_inputs, forms)
def test_findings_are_in_order_and_each_stands_once(value: dict[str, Any], form: str) -> None:
    for result in (
        run(SANITIZE, value),
        run(FLATTEN, {"messages": value["messages"], "form": form}),
    ):
        findings = result["findings"]
        assert findings == in_order(findings)
        assert len({(one["path"], one["code"]) for one in findings}) == len(findings)


@given(sanitize_inputs, texts, st.booleans(), forms)
def test_no_finding_tells_what_calls_and_results_hold(
    value: dict[str, Any], text: str, parsed: bool, form: str
) -> None:
    secret = f"{text}{SECRET}"
    arguments: object = {secret: secret} if parsed else secret
    call = {"id": "s", "function": {"name": "login", "arguments": arguments, secret: secret}}
    value["messages"] += [
        {"role": "assistant", "tool_calls": [call], secret: secret},
        {"role": "tool", "tool_call_id": "s", "content": {secret: secret}},
        {"role": secret, "content": secret},
    ]
    sanitized = run(SANITIZE, value)["findings"]
    flattened = run(FLATTEN, {"messages": value["messages"], "form": form})["findings"]
    assert sanitized
    assert flattened
    assert SECRET not in json.dumps([sanitized, flattened])


def test_what_nests_deep_has_an_answer_in_python_too() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    call = {"id": "a", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    messages = [
        {"role": "assistant", "content": {"deep": deep}, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": deep},
    ]
    assert sanitize_history(messages, disposition="skip")["messages"][1]["content"] == ""
    flat = flatten_history(messages, form="quoted")["messages"]
    assert flat == [
        {"role": "assistant", "content": 'Called "read" with {}'},
        {"role": "user", "content": 'Result of "read":\n> '},
    ]


# --- sanitize_history -----------------------------------------------------------------------------


@given(sanitize_inputs, dispositions)
def test_the_output_is_settled_under_either_disposition(
    value: dict[str, Any], disposition: str
) -> None:
    messages = run(SANITIZE, value)["messages"]
    again = run(SANITIZE, {**value, "messages": messages, "disposition": disposition})
    assert again["findings"] == []
    assert repr(again["messages"]) == repr(messages)


@given(sanitize_inputs)
def test_no_findings_means_no_change_but_moves(value: dict[str, Any]) -> None:
    result = run(SANITIZE, value)
    before, after = repr(value["messages"]), repr(result["messages"])
    assert result["findings"] == [] or before != after
    if result["findings"] == []:
        assert sorted(map(repr, value["messages"])) == sorted(map(repr, result["messages"]))


@given(sanitize_inputs)
def test_a_judge_of_pairs_accepts_the_output(value: dict[str, Any]) -> None:
    assert well_paired(run(SANITIZE, value)["messages"], value.get("open_turn", False))


@given(sanitize_inputs)
def test_every_call_that_stays_could_be_run(value: dict[str, Any]) -> None:
    for message in run(SANITIZE, value)["messages"]:
        for call in message.get("tool_calls", []):
            assert check_tool_call(call)["valid"]
            assert sent_name(call["function"]["name"]) == call["function"]["name"]


@given(histories)
def test_skip_and_answer_keep_the_same_valid_calls(messages: list[Any]) -> None:
    given_calls = [
        call
        for message in messages
        if isinstance(message, dict) and message.get("role") == "assistant"
        for call in (message["tool_calls"] if isinstance(message.get("tool_calls"), list) else [])
    ]
    valid = sum(check_tool_call(call)["valid"] for call in given_calls)
    kept = {
        disposition: [
            call
            for message in run(SANITIZE, {"messages": messages, "disposition": disposition})[
                "messages"
            ]
            for call in message.get("tool_calls", [])
        ]
        for disposition in ("skip", "answer")
    }
    assert len(kept["skip"]) == valid
    assert len(kept["answer"]) == len(given_calls)


def test_messages_that_stay_are_the_objects_that_were_given() -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    result = sanitize_history(messages, disposition="answer")
    assert all(left is right for left, right in zip(result["messages"], messages, strict=True))


def test_the_fixed_texts_are_those_of_the_list(root: Path) -> None:
    page = (root / "spec/v1/codes.md").read_text(encoding="utf-8").partition("## Fixed texts")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE))
    names = [name for name in vars(fixed_texts) if name.isupper() and not name.endswith("_NAME")]
    assert len(names) == 10
    for name in names:
        assert rows[name.lower()] == getattr(fixed_texts, name)


@given(texts.filter(lambda text: not is_blank(text)) | st.text("ab.-_", min_size=50, max_size=80))
def test_a_sent_name_can_be_sent_and_is_its_own(name: str) -> None:
    sent = sent_name(name)
    assert re.fullmatch("[A-Za-z0-9_-]{1,64}", sent)
    assert sent_name(sent) == sent


# --- flatten_history ------------------------------------------------------------------------------


@given(flatten_inputs)
def test_a_flat_history_is_flat(value: dict[str, Any]) -> None:
    messages = run(FLATTEN, value)["messages"]
    again = run(FLATTEN, {**value, "messages": messages})
    assert again == {"messages": messages, "findings": []}


@given(sanitize_inputs, forms)
def test_a_flat_history_stays_sanitised(value: dict[str, Any], form: str) -> None:
    sanitized = run(SANITIZE, value)["messages"]
    flat = run(FLATTEN, {"messages": sanitized, "form": form})["messages"]
    again = run(SANITIZE, {**value, "messages": flat})
    assert again == {"messages": flat, "findings": []}


@given(st.lists(texts, min_size=1, max_size=4), names)
def test_no_line_of_a_result_stands_unquoted(contents: list[str], name: object) -> None:
    call = {"id": "a", "function": {"name": name, "arguments": "{}"}}
    messages = [
        {"role": "assistant", "tool_calls": [call] * len(contents)},
        *({"role": "tool", "tool_call_id": "a", "content": content} for content in contents),
    ]
    text = run(FLATTEN, {"messages": messages, "form": "quoted"})["messages"][1]["content"]
    ends = "\r\n|[\n\r\x85\u2028\u2029]"
    unquoted = [line for line in re.split(ends, text) if not line.startswith("> ")]
    assert len(unquoted) == len(contents)
    assert all(line.startswith('Result of "') and line.endswith('":') for line in unquoted)
    # And nothing is lost: who takes the marks away has the results back.
    chunks = re.split(r'(?:\A|\n)Result of "(?:[^"\\]|\\.)*":\n> ', text)[1:]
    assert [re.sub(f"({ends})> ", r"\1", chunk) for chunk in chunks] == contents


@given(st.lists(texts, min_size=1, max_size=4), texts.filter(lambda text: not is_blank(text)))
def test_a_result_block_holds_one_object_and_no_other_tag(contents: list[str], name: str) -> None:
    call = {"id": "a", "function": {"name": name, "arguments": "{}"}}
    messages = [
        {"role": "assistant", "tool_calls": [call] * len(contents)},
        *({"role": "tool", "tool_call_id": "a", "content": content} for content in contents),
    ]
    text = run(FLATTEN, {"messages": messages, "form": "blocks"})["messages"][1]["content"]
    blocks = re.findall("<tool_response>\n(.*)\n</tool_response>", text)
    assert text.count("<") == 2 * len(contents)
    assert [json.loads(block)["content"] for block in blocks] == contents


@given(
    st.lists(
        st.tuples(st.sampled_from(["read", "zq9tool", "", 7]), argument_texts),
        min_size=1,
        max_size=4,
    ),
    forms,
    st.sampled_from([[], ["read"], ["list"]]),
)
def test_a_flat_history_has_nothing_of_a_tool_that_is_not_effective(
    made: list[tuple[object, str]], form: str, effective: list[str]
) -> None:
    history = [
        {
            "role": "assistant",
            "tool_calls": [
                {"id": f"{at}", "function": {"name": name, "arguments": text}}
                for at, (name, text) in enumerate(made)
            ],
        },
        *({"role": "tool", "tool_call_id": f"{at}", "content": "one"} for at in range(len(made))),
    ]
    value = {"messages": history, "form": form, "effective": effective}
    flat = run(FLATTEN, value)["messages"]
    assert "zq9tool" not in json.dumps(flat)
    assert "invalid_tool_call" not in json.dumps(flat)
    for message in flat:
        read = extract(message["content"], effective=["any"])["tool_calls"]
        assert {call["name"] for call in read} <= set(effective)
        assert form == "blocks" or not read


objects = st.dictionaries(
    st.text(max_size=6), st.text(max_size=12) | st.integers() | st.none(), max_size=3
)
tags = st.sampled_from(["</tool_call>", "<tool_call>{}", "\n\n", "```", "<think>", '"}', "a"])


@given(
    st.lists(
        st.tuples(
            texts.filter(lambda text: not is_blank(text)).map(sent_name),
            objects,
            st.lists(tags, max_size=3).map("".join),
            st.text(JSON_SPACE, max_size=2),
            st.none() | st.integers(1, 3),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_a_call_block_is_read_back_as_the_same_call(
    made: list[tuple[str, dict[str, object], str, str, int | None]],
) -> None:
    calls = [
        {
            "id": "a",
            "function": {
                "name": name,
                "arguments": space + json.dumps({**data, "t": text}, indent=indent) + space,
            },
        }
        for name, data, text, space, indent in made
    ]
    history = [{"role": "assistant", "content": None, "tool_calls": calls}]
    (message,) = run(FLATTEN, {"messages": history, "form": "blocks"})["messages"]
    read = extract(message["content"], effective=["any"])
    assert read["content"] is None
    expected = [check_tool_call(call) for call in calls]
    assert [(call["name"], call["arguments_json"]) for call in read["tool_calls"]] == [
        (check["name"], str(check["arguments_json"]).strip(JSON_SPACE)) for check in expected
    ]


@given(st.text(JSON_SPACE, max_size=3), st.integers(2**53, 2**64))
def test_a_call_block_keeps_every_digit(space: str, number: int) -> None:
    function = {"name": "read", "arguments": f'{{"n":{space}{number}}}'}
    history = [{"role": "assistant", "tool_calls": [{"id": "a", "function": function}]}]
    (message,) = run(FLATTEN, {"messages": history, "form": "blocks"})["messages"]
    (read,) = extract(message["content"], effective=["any"])["tool_calls"]
    assert read["arguments_json"] == function["arguments"]
