"""Calls whose arguments are not what the parameters of their tool say."""

import importlib
import json
import sys
from typing import Any

import pytest

from commoncall import judging, turn
from commoncall.judging import problems

PARAMETERS = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "secret": {"enum": ["a"]}},
    "required": ["n"],
}
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": PARAMETERS}}]
PLAN: Any = {"effective": ["f", "g"], "parse_native_calls": True, "parse_text_calls": True}
GIVEN: Any = {"request_id": "r", "disposition": "answer", "judge": problems, "tools": TOOLS}


def message(*arguments: object, name: str = "f") -> Any:
    return {
        "role": "assistant",
        "tool_calls": [
            {"id": f"c{at}", "function": {"name": name, "arguments": json.dumps(one)}}
            for at, one in enumerate(arguments)
        ],
    }


def test_a_problem_is_a_place_in_the_parameters() -> None:
    assert problems({"n": 1}, PARAMETERS) == problems({"n": 1, "x": 2}, PARAMETERS) == []
    assert problems({"n": "1", "secret": "b"}, PARAMETERS) == [
        "/properties/n/type",
        "/properties/secret/enum",
    ]
    assert problems({}, PARAMETERS) == ["/required"]


@pytest.mark.parametrize(
    "parameters", [None, [], {"type": "objekt"}, {"$ref": "https://example.test/schema"}]
)
def test_what_is_no_schema_or_lies_elsewhere_judges_nothing(parameters: object) -> None:
    assert problems({"n": "1"}, parameters) == []


def test_a_call_with_wrong_arguments_is_answered_and_not_run() -> None:
    got = turn.receive(PLAN, message({"n": "one"}, {"n": 1}), **GIVEN)
    assert [call["id"] for call in got["dispatch"]] == ["c1"]
    [answer] = got["answers"]
    assert answer == {"seq": 0, "id": "c0", "error_type": "tool_payload_parse_error"}
    assert got["unreadable"] == 1
    assert len(got["calls"]) == len(got["planned"]) == 2
    end = turn.settle(got, [{"seq": 1, "status": "ok", "content": "one"}])
    assert [one["status"] for one in end["events"]] == ["error", "ok"]
    unjudged = turn.receive(PLAN, message({"n": "one"}), **{**GIVEN, "judge": lambda *_: []})
    assert len(unjudged["dispatch"]) == 1


def test_a_tool_that_is_not_there_judges_nothing() -> None:
    assert turn.receive(PLAN, message({"n": "one"}, name="g"), **GIVEN)["answers"] == []


def test_a_stream_is_judged_at_its_end() -> None:
    stream = turn.Stream(PLAN, **GIVEN)
    stream.feed({"choices": [{"message": message({"n": "one"}), "finish_reason": "tool_calls"}]})
    got = stream.finish()
    assert (got["dispatch"], [one["seq"] for one in got["answers"]]) == ([], [0])


def test_without_jsonschema_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(ImportError, match="needs the extra jsonschema"):
        importlib.reload(judging)
