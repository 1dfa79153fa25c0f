"""What must hold of each conversation: it comes back, and nothing that is sent is refused."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from commoncall import interface as interfaces
from commoncall.interface import Interface
from commoncall.payload import sanitize_history, sanitize_request
from tests.evidence.interfaces.generated import broken, request_of
from tests.evidence.interfaces.strict import refusals

ROOT = Path(__file__).parents[3]
INTERFACES: list[Interface] = ["anthropic-messages", "openai-responses"]
COUNT = 500
CAPABLE = {
    "tool_calls_supported": True,
    "tool_choice": ["auto", "none", "required", "named"],
    "parallel_tool_calls": True,
}


def sanitised(interface: Interface, request: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a request that was read, sanitised and written, and the codes of what was found."""
    read = interfaces.read(interface, request)
    clean = sanitize_request(read["request"], capability=CAPABLE, profile=interface)
    members: Any = clean["request"]
    history = sanitize_history(members["messages"], disposition="answer", profile=interface)
    sent = {**members, "messages": history["messages"]}
    written = interfaces.write(interface, sent, read["carried"])
    found = [*read["findings"], *clean["findings"], *history["findings"], *written["findings"]]
    return written["request"], [each["code"] for each in found]


@pytest.mark.parametrize("interface", INTERFACES)
def test_what_is_valid_comes_back_as_it_was(interface: Interface) -> None:
    for seed in range(COUNT):
        request = request_of(interface, seed)
        assert refusals(interface, request) == [], seed
        before = json.dumps(request)
        assert sanitised(interface, request) == (request, []), seed
        read = interfaces.read(interface, request)
        written = interfaces.write(interface, read["request"], read["carried"])
        assert (written["request"], written["findings"]) == (request, []), seed
        assert json.dumps(request) == before, seed


@pytest.mark.parametrize("interface", INTERFACES)
def test_what_was_broken_is_taken_after_it_was_sanitised(interface: Interface) -> None:
    mended = 0
    for seed in range(COUNT):
        request = broken(interface, request_of(interface, seed), seed)
        sent, _ = sanitised(interface, request)
        why = refusals(interface, sent)
        # Nothing is left to send: `turn.prepare` refuses such a request by name.
        assert why in ([], ["messages: at least one message is required"]), (seed, why)
        mended += not why
    assert mended > 0.95 * COUNT


@pytest.mark.parametrize("interface", INTERFACES)
def test_what_goes_is_said(interface: Interface) -> None:
    """A mark that is gone with its message has a finding."""
    for seed in range(COUNT):
        request = request_of(interface, seed)
        read = interfaces.read(interface, request)
        messages = list(read["request"]["messages"])  # type: ignore[call-overload]
        gone = messages.pop(seed % len(messages))
        left = {**read["request"], "messages": messages}
        written = interfaces.write(interface, left, read["carried"])
        # What stood in the message itself went with it, and whoever took it knows.
        pairs = zip(_marks(request), _marks(written["request"]), _marks(gone), strict=True)
        assert written["findings"] or all(old == new + own for old, new, own in pairs), seed


def _marks(value: object) -> list[int]:
    """Count what has no place in the contracts: cache marks, citations, errors, annotations."""
    text = json.dumps(value)
    return [
        text.count(f'"{name}"')
        for name in ("cache_control", "citations", "is_error", "annotations")
    ]


@pytest.mark.parametrize("interface", INTERFACES)
def test_a_table_has_its_form(interface: Interface) -> None:
    schemas = [
        json.loads((ROOT / f"schemas/v1/formats/{name}.schema.json").read_text("utf-8"))
        for name in ("interface", "profile")
    ]
    known: Registry[Any] = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas
    )
    table = json.loads((ROOT / f"spec/v1/interfaces/{interface}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schemas[0], registry=known).validate(table)
    assert table["interface"] == interface
