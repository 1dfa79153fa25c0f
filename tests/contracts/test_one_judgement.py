"""One text between markers has one verdict (EXT-168): extraction and the record judge it alike.

The payloads are those of the cases of `event.record_calls`, and generated ones. Each is put behind
the opener of `harmony-pseudo`, with its closer and without. Where extraction sees one block there
whose inner text is the payload, both have to say the same of it.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commoncall import event, extraction
from commoncall.envelope import Env
from commoncall.event.checks import PAYLOAD, PAYLOAD_BYTES
from commoncall.extraction.dialects import DIALECTS
from commoncall_kit.verdict.compare import differences
from tests.contracts.extraction.generator import changed
from tests.contracts.extraction.generator_json import Pick, chosen, payload, space
from tests.contracts.extraction.generator_messages import CLOSER, OPENER, limits, strict
from tests.each import check_each

FIXTURES = Path(__file__).parents[2] / "fixtures" / "v1" / "event"
UNKNOWN = "unknown"
"""The label of a call whose name may not be shown, or that has none (EVT-013)."""

EDGES = ["\ud800", "é", "𝄞", "\ufeff", "\u2028", "\x00", "\n\n", CLOSER, OPENER, "<think>", "`"]


def extract(given: dict[str, Any]) -> dict[str, Any]:
    return dict(extraction.OPERATIONS["extraction.extract"](given, Env()))


def recorded(text: str, options: dict[str, Any]) -> tuple[str, str | None, str | None]:
    """Return label, failed check and hash that the record gives to a payload.

    Its name is effective, so that the label is that name, if it may be shown at all.
    """
    name = member(text, "tool")
    effective = [name] if isinstance(name, str) else []
    entry = {"payload": text}
    given = {"request_id": "r1", "calls": [entry], "effective": effective, **options}
    answer: Any = event.OPERATIONS["event.record_calls"](given, Env())
    planned, result = answer["result"]["events"]
    return planned["tool"], result.get("error_type"), planned["args_preview_hash"]


def member(text: str, name: str) -> object:
    """Return a member of a JSON object, or None where there is none."""
    try:
        value = json.loads(text, parse_int=float)
    except (ValueError, RecursionError):
        return None
    return value.get(name) if isinstance(value, dict) else None


def of_sole_block(text: str, closer: str, options: dict[str, Any]) -> dict[str, Any] | None:
    """Return what extraction gives where it sees one block with this inner text, else None.

    What stands behind the closer shows whether this closer ends the block. Without one the block
    has to end with the text, and not behind a closer that the payload ends with.
    """
    behind = "." if closer else ""
    if not closer and text.endswith(CLOSER):
        return None
    block = OPENER + text + closer
    answer = extract({"text": block + behind, "effective": ["f"], **options})
    result: dict[str, Any] = answer["result"]
    first, *others = result["segments"]
    is_block = first["text"] == block and first.get("dialect") == "harmony-pseudo"
    is_alone = others == ([{"kind": "text", "text": behind}] if behind else [])
    return result if is_block and is_alone else None


def check_one_judgement(text: str, options: dict[str, Any]) -> int:
    """Hold both verdicts against each other; return how often there were two."""
    label, failed, digest = recorded(text, options)
    seen = 0
    for closer in (CLOSER, ""):
        result = of_sole_block(text, closer, options)
        if result is None:
            continue
        seen += 1
        assert "removed" not in result
        if failed is None:
            check_call(text, label, digest, result)
        else:
            check_unreadable(label, failed, result)
    return seen


def check_call(text: str, label: str, digest: str | None, result: dict[str, Any]) -> None:
    """Extraction gives a call of the same name and arguments."""
    assert "unreadable" not in result
    (call,) = result["tool_calls"]
    assert call["name"] == label
    arguments = member(text, "arguments")
    assert differences({} if arguments is None else arguments, call["arguments"]) == []
    asked = {"arguments_json": call["arguments_json"]}
    hashed: Any = event.OPERATIONS["event.hash_arguments"](asked, Env())
    assert hashed["result"]["args_preview_hash"] == digest


def check_unreadable(label: str, failed: str, result: dict[str, Any]) -> None:
    """Extraction gives one unreadable call with the same error type and name."""
    assert failed != "tool_not_available"
    assert result["tool_calls"] == []
    (lost,) = result["unreadable"]
    assert (lost["before"], lost["error_type"]) == (0, failed)
    # A call can be called like that label.
    assert lost["name"] in ([None, UNKNOWN] if label == UNKNOWN else [label])


def payloads() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return id, payload and limits of every payload in a case of ``event.record_calls``."""
    for path in sorted(FIXTURES.glob("*.json")):
        suite = json.loads(path.read_text("utf-8"))
        if suite["operation"] != "event.record_calls":
            continue
        for case in suite["cases"]:
            given = case["input"] if "input" in case else json.loads(case["input_json"])
            entries = given.get("calls") if isinstance(given, dict) else None
            # Of a bad input neither the form nor the limits can be relied on.
            is_bad = case["expect"].get("error", {}).get("code") == "invalid_input"
            options = {} if is_bad or "limits" not in given else {"limits": given["limits"]}
            for place, entry in enumerate(entries if isinstance(entries, list) else []):
                text = entry.get("payload") if isinstance(entry, dict) else None
                if isinstance(text, str):
                    yield f"{case['id']}-{place}", text, options


def test_every_payload_of_a_case() -> None:
    cases = ((name, (text, options)) for name, text, options in payloads())
    check_each(cases, lambda given: check_one_judgement(*given))


def test_most_payloads_of_the_cases_are_one_block() -> None:
    closed = [of_sole_block(text, CLOSER, options) for _, text, options in payloads()]
    assert sum(result is not None for result in closed) > 0.9 * len(closed)


def judged(seed: int) -> tuple[str, dict[str, Any]]:
    """Return a payload and limits that a seed decides."""
    pick = random.Random(seed).randrange
    text = made(pick)
    options = {"limits": limits(pick, OPENER + text + CLOSER)} if pick(2) else {}
    return text, options


def made(pick: Pick) -> str:
    """Return a payload that is mostly near a call: white space, an object, and a few changes."""
    text = space(pick) + (strict(pick) if pick(8) else payload(pick)) + space(pick)
    for _ in range(max(0, pick(5) - 2)):
        text = changed(pick, text)
    if pick(8) == 0:
        place = pick(len(text) + 1)
        text = text[:place] + chosen(pick, EDGES) + text[place:]
    return text


def test_every_generated_payload() -> None:
    seeds = ((f"seed {seed}", seed) for seed in range(1_500))
    check_each(seeds, lambda seed: check_one_judgement(*judged(seed)))


@pytest.mark.parametrize("limit", [0, 1, 26, 27])
def test_a_limit_given_in_python_is_one_for_both(limit: int) -> None:
    payload = '{"tool":"a","arguments":{}}'
    assert len(payload) == 27
    found = extraction.extract(OPENER + payload + CLOSER, effective=["a"], payload_bytes=limit).get(
        "unreadable"
    )
    call = event.Recorder("r", effective=["a"], payload_bytes=limit).planned(payload=payload)
    assert bool(found) == (call.error_type is not None) == (limit < 27)


def test_the_record_and_the_descriptor_have_one_form_and_one_limit() -> None:
    dialect = DIALECTS["harmony-pseudo"]
    assert dialect.form == PAYLOAD
    assert dialect.limit_bytes == PAYLOAD_BYTES
