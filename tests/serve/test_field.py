"""Texts of public reports, through the gateway before a server that leaks them."""

import json
from typing import Any

import pytest

from commoncall_serve.exchange import Options
from tests.evidence.integrations.strict_server import Reply, running
from tests.serve.leaks import LEAKS, TOOL, Leak
from tests.serve.served import gateway, message_of


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.report)
def test_a_public_report_ends_right(leak: Leak, streams: bool) -> None:
    def script(_: dict[str, Any]) -> Reply:
        return Reply({"role": "assistant", "content": leak.text}, size=4)

    asked = {
        "model": leak.model,
        "messages": [{"role": "user", "content": "q"}],
        "tools": [TOOL],
        "stream": streams,
    }
    with running(script) as log, gateway(log.address, Options()) as client:
        said = message_of(client.post("/chat/completions", json=asked))
    functions = [call["function"] for call in said.get("tool_calls", ())]
    found = tuple((one["name"], json.loads(one["arguments"])) for one in functions)
    assert found == leak.calls
    assert ((said["content"] or "").strip() or None) == leak.content
    assert len(log.requests) == 1
