"""Why an input is ``invalid_input``: said in the command and by ``commoncall.diagnosis``."""

import json
from typing import Any

import pytest

from commoncall.adapter import FEATURES, answer
from commoncall.diagnosis import diagnose
from commoncall.envelope import INVALID_INPUT
from commoncall_kit.suite.data import Case
from tests import shared
from tests.command import commoncall
from tests.each import PARTS, check_each, part_of

CASES = [(case.id, case) for case in shared.suite().cases if case.applies(FEATURES)]
DEEP: Any = json.loads("[" * 130 + "]" * 130)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_refused_is_explained_and_nothing_else_is(part: int) -> None:
    def check(case: Case) -> None:
        why = diagnose(case.operation.name, case.input)
        assert (why is not None) == (case.expect == INVALID_INPUT), why
        assert why is None or ("\n" not in why and len(why) < 600)

    check_each(part_of(CASES, part), check)


@pytest.mark.parametrize("part", range(PARTS))
def test_the_schema_has_something_against_the_member_that_is_named(part: int) -> None:
    def check(case: Case) -> None:
        first = (diagnose(case.operation.name, case.input) or "").split(" ")[0]
        place = "/" + first.replace("[", "/").replace("]", "").replace(".", "/")
        place = "" if first == "the" else place
        contract, _, name = case.operation.name.partition(".")
        shape = f"urn:commoncall:v1:{contract}:{name}#/$defs/input"
        against = [at for at, _ in shared.read_schemas().errors(shape, case.input)]
        # A member that is missing or unknown is said of what it stands in.
        outer = place.rpartition("/")[0]
        assert not against or any(at == outer or at.startswith(place) for at in against), against

    refused = [(name, case) for name, case in CASES if case.expect == INVALID_INPUT]
    check_each(part_of(refused, part), check)


HISTORY: dict[str, Any] = {"messages": [], "disposition": "skip"}
PREPARE: dict[str, Any] = {
    "request": {},
    "registries": [],
    "targets": [],
    "registered": [],
    "layers": [],
    "text_protocol": False,
    "disposition": "skip",
}
PLAN = {"effective": [], "parse_native_calls": True, "parse_text_calls": False}
RECEIVE: dict[str, Any] = {
    "plan": PLAN,
    "message": {"text": "", "tool_calls": None},
    "request_id": "r",
    "disposition": "skip",
}
RECEIVED: dict[str, Any] = {
    "content": "",
    "planned": [{"seq": 0, "request_id": "r", "tool": "f", "tool_call_id": "a"}],
    "calls": [{"seq": 0, "id": "a", "name": "f", "arguments_json": "{}"}],
    "dispatch": [{"seq": 0}],
    "answers": [],
}


@pytest.mark.parametrize(
    ("operation", "given", "why"),
    [
        ("payload.sanitize_history", 7, "the input must be an object"),
        ("payload.sanitize_history", {"disposition": "skip"}, "messages is missing"),
        ("payload.sanitize_history", {**HISTORY, "messages": {}}, "messages must be an array"),
        ("payload.sanitize_history", {**HISTORY, "messages": DEEP}, "the input nests deeper than"),
        ("payload.sanitize_history", {**HISTORY, "open": 1}, "open is no known member"),
        (
            "payload.sanitize_history",
            {**HISTORY, "disposition": "Skip"},
            'disposition must be one of "skip", "answer"',
        ),
        (
            "payload.sanitize_history",
            {**HISTORY, "profile": {"max_tools": 0}},
            "profile.max_tools must be at least 1",
        ),
        (
            "payload.sanitize_history",
            {**HISTORY, "profile": {"a b": 0}},
            'profile["a b"] is no known member',
        ),
        (
            "payload.sanitize_history",
            {**HISTORY, "x" * 90: 0},
            f'["{"x" * 40}\\u2026"] is no known member',
        ),
        ("turn.prepare", {**PREPARE, "registered": ["a", 1]}, "registered[1] must be a string"),
        (
            "turn.prepare",
            {**PREPARE, "sections": [{"id": "a", "needs": "x", "text": ""}]},
            'sections[0].needs must be one of null, "tools", "catalogue", "protocol" '
            "or must be an object",
        ),
        (
            "turn.receive",
            {**RECEIVE, "message": {"text": 1, "tool_calls": None}},
            "message.text must be a string or an array or null",
        ),
        (
            "turn.receive",
            {**RECEIVE, "message": {"text": "", "tool_calls": None, "role": "assistant"}},
            "message.role is no known member",
        ),
        (
            "turn.settle",
            {"received": RECEIVED, "outcomes": [{"seq": 1, "status": "ok"}]},
            "outcomes[0] is of no dispatched call, or the second of one",
        ),
        (
            "turn.settle",
            {"received": {**RECEIVED, "dispatch": []}, "outcomes": []},
            "received must speak of the same calls of one request in all its parts",
        ),
        ("event.hash_arguments", {"arguments_json": 1}, "arguments_json must be a string"),
        (
            "event.hash_arguments",
            {},
            "the input has none of its forms: arguments is missing, or arguments_json is missing",
        ),
        (
            "event.record_calls",
            {"request_id": "r", "calls": [], "observe": False, "labels": []},
            "observe must be true",
        ),
        (
            "event.record_calls",
            {"request_id": "r", "calls": [{"name": 1, "arguments_json": "{}"}], "effective": []},
            "calls[0].name must be a string or null",
        ),
        ("event.to_otel", {"events": [1]}, "events[0] must be an object"),
        ("extraction.extract", {"text": ""}, "effective is missing"),
        (
            "extraction.extract",
            {"text": "", "effective": [], "labels": []},
            "labels is no known member",
        ),
        (
            "extraction.extract",
            {"text": "", "effective": [], "format": "gptoss"},
            "format is none of the",
        ),
        (
            "extraction.extract",
            {"text": "", "effective": [], "dialects": ["harmony", "bare-json"]},
            "dialects must not list bare-json and harmony at once",
        ),
        (
            "event.hash_arguments",
            {"arguments": {}, "arguments_json": "{}"},
            "the input must not have arguments and arguments_json at once",
        ),
        (
            "payload.sanitize_history",
            {**HISTORY, "profile": {"refuses": ["id_long", "id_long"]}},
            "profile.refuses must not hold a value twice",
        ),
        (
            "turn.settle",
            {
                "received": {**RECEIVED, "opaque": {"members": {"role": 1}}},
                "outcomes": [],
            },
            "received.opaque.members.role must not stand here",
        ),
        (
            "turn.receive",
            {**RECEIVE, "profile": {}, "message": {"text": "", "tool_calls": None, "x": 1}},
            "message.x is no known member",
        ),
        (
            "extraction.stream",
            {"chunks": ["", None], "effective": []},
            "chunks[1] must be a string",
        ),
    ],
)
def test_the_member_is_named_and_what_is_expected_there(
    operation: str, given: Any, why: str
) -> None:
    assert answer(operation, given) == INVALID_INPUT
    assert (diagnose(operation, given) or "").startswith(why)


def test_an_operation_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(KeyError):
        diagnose("payload.nothing", {})


def test_run_says_it_beside_the_error_of_the_contract() -> None:
    given = json.dumps({**HISTORY, "messages": "secret"})
    done = commoncall("run", "payload.sanitize_history", given=given)
    assert json.loads(done.stdout) == INVALID_INPUT
    assert done.stderr == b"invalid_input: messages must be an array\n"
    assert done.returncode == 1
    done = commoncall("run", "payload.sanitize_history", given="[" * 300 + "]" * 300)
    assert done.stderr == b"invalid_input: the input nests deeper than 128\n"
