"""Whoever does nothing satisfies nothing: the cases of each requirement need both outcomes."""

from tests import shared
from tests.evidence.adequacy import trivial

NAMES = ["refuse-all", "constant", "echo", "strip-everything"]


def test_the_names_are_all() -> None:
    assert list(trivial.adapters(shared.suite())) == NAMES


def test_an_echo_is_what_came_in() -> None:
    echo = trivial.adapters(shared.suite())["echo"]
    text = echo("extraction.extract", {"text": "a <tools>{}", "effective": ["f"]})["result"]
    assert (text["content"], text["tool_calls"]) == ("a <tools>{}", [])
    request = {"model": "m", "tools": []}
    sent = echo("payload.sanitize_request", {"request": request})["result"]
    assert (sent["request"], sent["findings"]) == (request, [])
