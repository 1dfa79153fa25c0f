"""The messages of the harness protocol: the kit reads what the published schema says."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from commoncall import protocol, spelled
from commoncall.protocol import ProtocolError, TooDeepError
from commoncall_kit.drive.session import read_answer, read_declaration

DECLARATION: dict[str, Any] = {
    "protocol": 1,
    "implementation": {"name": "toy", "version": "1", "language": "Python"},
    "operations": ["toy.echo"],
    "features": [],
}
IMPLEMENTATION = DECLARATION["implementation"]


def without(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key != name}


@pytest.fixture(scope="module")
def schema(root: Path) -> dict[str, Any]:
    path = root / "schemas" / "v1" / "formats" / "harness.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return schema


def valid(schema: dict[str, Any], name: str, message: object) -> bool:
    return Draft202012Validator({**schema, "$ref": f"#/$defs/{name}", "anyOf": [{}]}).is_valid(
        message
    )


@pytest.mark.parametrize(
    "message",
    [
        DECLARATION,
        {**DECLARATION, "protocol": 1.0},
        {**DECLARATION, "operations": [], "features": ["diagnostics", "later"]},
    ],
)
def test_a_declaration_is_read(schema: dict[str, Any], message: object) -> None:
    assert valid(schema, "declaration", message)
    assert read_declaration(message).implementation == IMPLEMENTATION


@pytest.mark.parametrize(
    "message",
    [
        *(without(DECLARATION, name) for name in DECLARATION),
        *(
            {**DECLARATION, "implementation": without(IMPLEMENTATION, name)}
            for name in IMPLEMENTATION
        ),
        {**DECLARATION, "protocol": 2},
        {**DECLARATION, "protocol": True},
        {**DECLARATION, "protocol": "1"},
        {**DECLARATION, "implementation": {**IMPLEMENTATION, "name": ""}},
        {**DECLARATION, "implementation": {**IMPLEMENTATION, "version": 1}},
        {**DECLARATION, "implementation": {**IMPLEMENTATION, "homepage": "x"}},
        {**DECLARATION, "implementation": "toy"},
        {**DECLARATION, "operations": {"toy.echo": True}},
        {**DECLARATION, "operations": ["toy.echo", "toy.echo"]},
        {**DECLARATION, "features": [1]},
        {**DECLARATION, "features": None},
        {**DECLARATION, "extra": 1},
        [],
        "start",
        None,
    ],
)
def test_a_declaration_out_of_form_is_refused(schema: dict[str, Any], message: object) -> None:
    assert not valid(schema, "declaration", message)
    with pytest.raises(ProtocolError):
        read_declaration(message)


@pytest.mark.parametrize(
    "message",
    [
        {"seq": 1, "result": {}},
        {"seq": 1, "error": {"code": "invalid_input"}},
        {"seq": 1, "error": {"code": "form_not_chat_completions", "form": "ollama-chat"}},
        {"seq": 1, "skipped": {"reason": "later"}},
        {"seq": 1, "errored": {"message": ""}},
    ],
)
def test_an_answer_is_read(schema: dict[str, Any], message: dict[str, Any]) -> None:
    assert valid(schema, "answer", message)
    assert read_answer(message) == without(message, "seq")


@pytest.mark.parametrize(
    "message",
    [
        {"seq": 1},
        {"seq": 1, "result": []},
        {"seq": 1, "result": None},
        {"seq": 1, "result": {}, "error": {"code": "a"}},
        {"seq": 1, "result": {}, "error": None},
        {"seq": 1, "result": {}, "note": "x"},
        {"seq": 1, "error": "invalid_input"},
        {"seq": 1, "error": {}},
        {"seq": 1, "error": {"code": None}},
        {"seq": 1, "skipped": {}},
        {"seq": 1, "skipped": True},
        {"seq": 1, "skipped": {"reason": "x", "issue": "y"}},
        {"seq": 1, "errored": {"message": 1}},
        [],
        None,
    ],
)
def test_an_answer_out_of_form_is_refused(schema: dict[str, Any], message: object) -> None:
    assert not valid(schema, "answer", message)
    with pytest.raises(ProtocolError):
        read_answer(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "not JSON"),
        (b"{} {}", "not JSON"),
        (b'{"a": NaN}', "NaN and Infinity are no numbers"),
        (b'{"a": -Infinity}', "NaN and Infinity are no numbers"),
        (b'{"a": 1e999}', "a number overflows"),
        (b"9" * 5000, "a number overflows"),
        (b'{"a": 1, "a": 2}', "a member twice"),
        (b'{"a": "\xff"}', "invalid UTF-8 at byte 7"),
        (b'{"a": "\xed\xa0\x80"}', "invalid UTF-8 at byte 7"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"[" * 257 + b"]" * 257, "deeper than 256"),
        (b"[" * 1_000_000, "deeper than 256"),
    ],
)
def test_a_line_that_is_no_json_is_refused(text: bytes, message: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        protocol.parse(text, unique=True)
    assert message in str(caught.value)


def test_depth_has_an_error_of_its_own() -> None:
    assert protocol.parse("[" * 256 + "]" * 256)
    with pytest.raises(TooDeepError):
        protocol.parse("[" * 257)


def test_the_last_of_two_members_wins_where_that_is_allowed() -> None:
    assert protocol.parse('{"a": 1, "a": 2}') == {"a": 2}


def test_a_line_is_ascii_and_has_one_line_feed() -> None:
    line = protocol.encode({"text": "é\u2028\n\ud800"})
    assert line == b'{"text":"\\u00e9\\u2028\\n\\ud800"}\n'
    assert protocol.parse(line) == {"text": "é\u2028\n\ud800"}


def test_a_number_is_sent_as_a_case_writes_it() -> None:
    text = '{"input":[1.00000000000000000001,1e-7,{"a":-1E+2},"1e-7",0.10,7]}'
    given = spelled.parse(text)
    assert given == {"input": [1, 1e-7, {"a": -100}, "1e-7", 0.1, 7]}
    assert isinstance(given, dict)
    assert protocol.encode(given).decode() == text + "\n"
    assert json.dumps(given) == json.dumps(json.loads(text))  # for those who ask in this process


def test_the_schema_describes_the_runner(schema: dict[str, Any]) -> None:
    suite = {"version": "0.1.0", "digest": "sha256:" + "0" * 64}
    assert valid(schema, "start", {"cmd": "start", "protocol": 1, "suite": suite})
    run = {"cmd": "run", "seq": 1, "operation": "toy.echo", "input": None}
    assert valid(schema, "run", run)
    assert valid(schema, "run", {**run, "env": {"ids": ["a"], "clock_ms": [0, 0.5]}})
    assert not valid(schema, "run", {**run, "id": "toy.echo.text"})
    assert valid(schema, "stop", {"cmd": "stop"})
