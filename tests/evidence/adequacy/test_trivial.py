"""What echoes is an echo. That no such adapter satisfies anything, the session ``mutants`` says."""

from tests import shared
from tests.evidence.adequacy import trivial


def test_an_echo_is_what_came_in() -> None:
    echo = trivial.adapters(shared.suite())["echo"]
    text = echo("extraction.extract", {"text": "a <tools>{}", "effective": ["f"]})["result"]
    assert (text["content"], text["tool_calls"]) == ("a <tools>{}", [])
    request = {"model": "m", "tools": []}
    sent = echo("payload.sanitize_request", {"request": request})["result"]
    assert (sent["request"], sent["findings"]) == (request, [])
