"""What no operation of the event contract gives away: EVT-053, EVT-013, as a property.

Secrets stand in values, in names of members and tools, and in texts that cannot be read. Every
operation of the contract is run, those that come later included.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.envelope import INVALID_INPUT, Env
from commoncall.event import OPERATIONS, Key, Recorder

ALPHABET = "QX~@\x01\u0416\u2028\U0001f701"
"""Characters that stand in no fixed text, number, digest or name of a member."""

secrets = st.text(ALPHABET, min_size=8, max_size=8)


@st.composite
def secret_calls(draw: st.DrawFn) -> dict[str, object]:
    """A call whose text, names and outcome hold a secret, readable or not."""
    secret = draw(secrets)
    arguments = draw(
        st.sampled_from(
            [{secret: 1}, {"a": secret}, {"a": [{secret: {secret: secret}}]}, secret, [secret]]
        )
    )
    tool = draw(st.sampled_from(["echo", secret, f"echo {secret}", f"echo\n{secret}", "", None]))
    ascii_only = draw(st.booleans())
    if draw(st.booleans()):
        members = {"tool": tool, "arguments": arguments}
        if draw(st.booleans()):
            members[secret] = secret
        text = json.dumps(members, ensure_ascii=ascii_only)
        call: dict[str, object] = {"payload": text}
        member = "payload"
    else:
        text = json.dumps(arguments, ensure_ascii=ascii_only)
        call = {"name": tool, "arguments_json": text}
        member = "arguments_json"
    damage = draw(st.integers(0, 4))
    if damage == 1:
        call[member] = text[: draw(st.integers(0, len(text)))]
    elif damage == 2:
        call[member] = text + secret
    elif damage == 3:
        call[member] = secret * draw(st.integers(1, 2000))
    elif damage == 4:
        call[member] = f'{{"{secret}": NaN, "\\ud800{secret}": 1e400}}'
    if draw(st.booleans()):
        call["outcome"] = {
            "status": draw(st.sampled_from(["ok", "error", secret])),
            "error_type": draw(st.sampled_from([secret, "tool_error", [secret], {secret: 1}])),
            "latency_ms": draw(st.sampled_from([1, secret, -1, {secret: 1}])),
        }
    return call


@pytest.mark.parametrize("operation", OPERATIONS)
@given(calls=st.lists(secret_calls(), min_size=1, max_size=4))
def test_no_operation_gives_away_what_a_model_wrote(
    root: Path, operation: str, calls: list[dict[str, object]]
) -> None:
    for value in inputs(root, operation, calls):
        outcome = OPERATIONS[operation](value, clock())
        assert outcome != INVALID_INPUT
        assert_private(outcome)


@pytest.mark.parametrize("operation", OPERATIONS)
@given(secret=secrets)
def test_no_operation_quotes_bad_input(operation: str, secret: str) -> None:
    key = {"id": "k", "secret_hex": secret}
    events = [{"type": secret, secret: secret}]
    for value in (
        secret,
        [secret],
        {secret: secret},
        {"arguments": {}, secret: 1},
        {"arguments": {}, "key": key},
        {"request_id": "r1", "calls": [], "effective": [], "key": key},
        {"request_id": "r1", "calls": [{"payload": "", secret: secret}], "effective": []},
        {"events": events, secret: secret},
    ):
        outcome = OPERATIONS[operation](value, clock())
        assert outcome == INVALID_INPUT
        assert_private(outcome)


@given(secrets)
def test_what_a_tool_returns_is_in_the_output_only(secret: str) -> None:
    """EVT-048."""
    outcome = {"status": "error", "content": {secret: secret}}
    call: dict[str, object] = {"name": "echo", "arguments_json": "{}", "outcome": outcome}
    result: Any = OPERATIONS["event.record_calls"](record_input([call]), clock())["result"]
    assert json.loads(result["outputs"][0]["content"]) == {secret: secret}
    assert_private({"events": result["events"], "metrics": result["metrics"]})


@given(secrets)
def test_neither_a_recorder_nor_a_key_shows_what_it_holds(secret: str) -> None:
    recorder = Recorder("r1", effective=["echo"], key=Key("k", secret.encode()))
    call = recorder.planned(name=secret, arguments_json=json.dumps({secret: secret}))
    with pytest.raises(ValueError, match="no call 9 waits") as caught:
        recorder.result(9, status=secret, content=secret)
    assert_private([repr(recorder), repr(call), repr(Key("k", secret.encode())), str(caught.value)])


def test_the_alphabet_is_of_no_fixed_text(root: Path) -> None:
    """Otherwise what is found would prove nothing."""
    for path in sorted((root / "schemas/v1/event").iterdir()):
        assert_private(without_patterns(json.loads(path.read_text(encoding="utf-8"))))
    codes = (root / "spec/v1/codes.md").read_text(encoding="utf-8")
    assert_private([line for line in codes.split("\n") if line.startswith("| `tool_")])


def without_patterns(schema: object) -> object:
    """Return a schema without its regular expressions, which no operation puts out."""
    if isinstance(schema, dict):
        return {name: without_patterns(of) for name, of in schema.items() if name != "pattern"}
    return [without_patterns(of) for of in schema] if isinstance(schema, list) else schema


def inputs(
    root: Path, operation: str, calls: Sequence[dict[str, object]]
) -> Iterator[dict[str, object]]:
    """Make good inputs of an operation from calls, or from the events that they give."""
    match operation:
        case "event.hash_arguments":
            for call in calls:
                text = call.get("payload", call.get("arguments_json"))
                yield {"arguments_json": text}
                yield {"arguments": {text: text}}
                yield {"arguments": text, "key": {"id": "k", "secret_hex": "00ff"}}
        case "event.record_calls":
            yield record_input(calls)
            yield {**record_input(calls), "limits": {"payload_bytes": 50}}
            yield {**record_input(calls), "key": {"id": "k", "secret_hex": "00ff"}}
        case _:
            result: Any = OPERATIONS["event.record_calls"](record_input(calls), clock())["result"]
            events = result["events"]
            given_by_the_runtime = {
                "events": events,
                "source": "urn:example:runtime",
                "type_prefix": "org.example",
                "times": ["2026-01-02T03:04:05Z"] * len(events),
            }
            path = root / "schemas/v1" / f"{operation.replace('.', '/')}.schema.json"
            schema = json.loads(path.read_text(encoding="utf-8"))
            required = schema["$defs"]["input"]["required"]
            yield {name: given_by_the_runtime[name] for name in required}


def record_input(calls: Sequence[dict[str, object]]) -> dict[str, object]:
    return {"request_id": "r1", "calls": [*calls], "effective": ["echo"]}


def clock() -> Env:
    return Env([], [0.5 * n for n in range(8)])


def assert_private(value: object) -> None:
    """Hold every text of a JSON value to none of the alphabet, neither raw nor JSON-escaped."""
    for text in strings(value):
        for character in ALPHABET:
            assert character not in text
            assert json.dumps(character)[1:-1] not in text.lower()


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from strings(member)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
