"""Requests as recorded servers answered them: refused before, accepted after."""

from typing import Any

import pytest

from commoncall.payload.request import sanitize_request
from tests.evidence.servers.answers import SERVERS, Answer, answer_of, shape_of

TOOL = {"type": "function", "function": {"name": "get_weather"}}
VALUES: dict[str, Any] = {"null": None, "empty": [], "filled": [TOOL], "named": TOOL}
REFUSED = [
    pytest.param(name, answer, id=f"{name}-{answer['tools']}-{answer['tool_choice']}")
    for name, server in SERVERS.items()
    for answer in server["answers"]
    if answer["status"] != 200
]


def request_of(answer: Answer) -> dict[str, Any]:
    """Return a request of the shape that an answer is about."""
    shape = {"tools": answer["tools"], "tool_choice": answer["tool_choice"]}
    members = {name: VALUES.get(word, word) for name, word in shape.items() if word != "absent"}
    return {"model": "m", "messages": [{"role": "user", "content": "hi"}], **members}


@pytest.mark.parametrize(("server", "answer"), REFUSED)
def test_what_a_server_refused_it_takes_when_it_is_sanitised(server: str, answer: Answer) -> None:
    request = request_of(answer)
    assert shape_of(request) == (answer["tools"], answer["tool_choice"])
    capability = {"tool_calls_supported": SERVERS[server]["takes_tools"]}
    sent: Any = sanitize_request(request, capability=capability)["request"]
    after = answer_of(server, sent)
    assert after is not None, "nobody sent this server what would be sent"
    assert after["status"] == 200


PROFILES = {"vllm 0.32.0 with a parser": "vllm", "llama-server b11434": "llama-cpp"}


@pytest.mark.parametrize("server", PROFILES)
def test_a_finding_is_refused_where_the_server_refused_the_request(server: str) -> None:
    for answer in SERVERS[server]["answers"]:
        found = sanitize_request(
            request_of(answer), capability={"tool_calls_supported": True}, profile=PROFILES[server]
        )["findings"]
        assert any("refused" in each for each in found) == (answer["status"] != 200), answer


def test_each_shape_stands_once() -> None:
    for server in SERVERS.values():
        shapes = [(answer["tools"], answer["tool_choice"]) for answer in server["answers"]]
        assert len(set(shapes)) == len(shapes)
    assert len(REFUSED) > 20
