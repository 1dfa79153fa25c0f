"""What leaves by way of traces and telemetry holds nothing of arguments and invented names.

A secret is put where a model writes: into keys, values and names, and into texts that cannot be
read. Then everything is recorded and given to the operations on recorded events.
"""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.event import OPERATIONS
from tests.contracts.event.traces import leaks, outcomes, secrets


@st.composite
def calls(draw: st.DrawFn, secret: str) -> dict[str, Any]:
    """Draw a call that holds the secret where nothing may show it."""
    arguments = draw(st.sampled_from([{secret: 1}, {"q": secret}, {"q": [{secret: [secret]}]}]))
    text = json.dumps(arguments, ensure_ascii=draw(st.booleans()))
    text = draw(st.sampled_from([text, text[:-1], f"{secret}{text}", f'"{secret}"', f"[{text}]"]))
    name = draw(st.sampled_from(["echo", secret, f"echo{secret}"]))
    if draw(st.booleans()):
        payload = json.dumps({"tool": name, "arguments": arguments})
        return {"payload": draw(st.sampled_from([payload, payload[:-1], f"{payload}{secret}"]))}
    outcome = {**draw(outcomes), "content": draw(st.sampled_from([secret, {secret: secret}]))}
    if draw(st.booleans()):
        outcome["error_type"] = secret
    return {"name": name, "arguments_json": text, "outcome": outcome}


@given(secrets, st.data())
def test_nothing_of_what_a_model_wrote_leaves(secret: str, data: st.DataObject) -> None:
    value = {
        "request_id": "r1",
        "calls": data.draw(st.lists(calls(secret), min_size=1, max_size=4)),
        "effective": ["echo"],
        "limits": {"payload_bytes": data.draw(st.sampled_from([20, 8192]))},
    }
    assert leaks(secret, value)
    recorded: Any = OPERATIONS["event.record_calls"](value, Env([], [*range(8)]))["result"]
    events = recorded["events"]
    answer = OPERATIONS["event.to_otel"]({"events": events}, Env([], []))
    assert list(answer) == ["result"]
    assert not leaks(secret, answer)
