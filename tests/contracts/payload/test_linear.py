"""No request and no history makes more work than its size: hostile chains, by lines that run."""

from typing import Any

import pytest

from commoncall import payload
from tests.measuring import lines_run

CAPABILITY = {"tool_calls_supported": True}


def row_of_references(size: int) -> dict[str, Any]:
    """Each definition refers to the one before it, and one of two words stays beside it."""
    definitions: dict[str, Any] = {"a0": {"type": "string", "title": "T", "description": "D"}}
    for at in range(1, size):
        word = "title" if at % 2 else "description"
        definitions[f"a{at}"] = {"$ref": f"#/$defs/a{at - 1}", word: "x"}
    return {"type": "object", "properties": {"p": {}}, "$defs": definitions}


def doubled_references(size: int) -> dict[str, Any]:
    """Each definition holds the one before it twice."""
    definitions: dict[str, Any] = {"a0": {"type": "object", "title": "T", "description": "D"}}
    for at in range(1, size):
        word = "title" if at % 2 else "description"
        one = {"$ref": f"#/$defs/a{at - 1}", word: "x"}
        definitions[f"a{at}"] = {"type": "object", "properties": {"x": one, "y": {**one}}}
    return {"type": "object", "properties": {"p": {}}, "$defs": definitions}


def references_to_one(size: int) -> dict[str, Any]:
    """Many references lead to one object, which grows with their number."""
    refs = {f"r{at}": {"$ref": "#/properties/all", "title": "x"} for at in range(size)}
    return {
        "type": "object",
        "properties": {**refs, "all": {"enum": [str(at) for at in range(8 * size)]}},
    }


def row_of_all_of(size: int) -> dict[str, Any]:
    """Each definition is a part of the one before it."""
    definitions: dict[str, Any] = {
        f"a{at}": {"allOf": [{"$ref": f"#/$defs/a{at + 1}"}]} for at in range(size)
    }
    return {"type": "object", "properties": {"p": {}}, "$defs": definitions}


def branches_that_share(size: int) -> dict[str, Any]:
    """Each branch has another schema for the same property, and requires many, as the others do."""
    names = [f"r{at}" for at in range(8)]
    branches = [{"properties": {"p": {"const": at}}, "required": names} for at in range(size)]
    return {"type": "object", "properties": {name: {} for name in names}, "oneOf": branches}


@pytest.mark.parametrize(
    "made",
    [row_of_references, doubled_references, references_to_one, row_of_all_of, branches_that_share],
)
def test_work_on_schemas_is_linear(made: Any) -> None:
    """PAY-191: references are followed ten times at most, and little is put in their place."""

    def work(size: int) -> int:
        tool = {"type": "function", "function": {"name": "f", "parameters": made(size)}}
        profile = {"refused_in_schemas": ["ref_siblings", "all_of_endless"]}

        def sanitize() -> None:
            payload.sanitize_request({"tools": [tool]}, capability=CAPABILITY, profile=profile)

        return lines_run(sanitize)

    few, many = work(30), work(240)
    assert many < few * 8.8 + 400


def test_work_on_pairs_is_linear() -> None:
    """Each call shares an id with the next, so that each pair leaves one call alone."""

    def work(size: int) -> int:
        calls = [
            {"id": f"a{at}", "call_id": f"a{at + 1}", "type": "function", "function": {"name": "f"}}
            for at in range(size)
        ]
        results = [
            {"role": "tool", "tool_call_id": f"a-{at}", "content": str(at)}
            for at in reversed(range(size + 1))
        ]
        messages = [
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "wait"},
            *results,
        ]

        def sanitize() -> None:
            payload.sanitize_history(messages, disposition="answer")

        return lines_run(sanitize)

    few, many = work(30), work(240)
    assert many < few * 8.8 + 400
