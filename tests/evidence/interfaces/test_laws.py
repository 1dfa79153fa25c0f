"""What must hold of each conversation: it comes back, and nothing that is sent is refused."""

import json
import re
from typing import Any, Final

import pytest

from commoncall import interface as interfaces
from commoncall.interface import Interface
from commoncall.interface.table import history_member
from commoncall.payload import load_profile
from commoncall_tools.native_findings import check_native
from tests.evidence.interfaces.cleaned import INTERFACES, sanitised
from tests.evidence.interfaces.generated import broken, request_of
from tests.evidence.interfaces.strict import refusals

COUNT = 500


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
def test_nothing_that_was_said_is_lost_in_silence(interface: Interface) -> None:
    """Each text, signature and image of a broken history leaves, or a finding stands at its place
    that says it does not.
    """
    flags = load_profile(interface)
    name = history_member(interface)
    for seed in range(COUNT):
        request = broken(interface, request_of(interface, seed), seed)
        found = check_native(request, interface, flags)
        if found.fixed is None:
            assert any(one.level == "refused" for one in found.entries), seed
            continue
        sent = json.dumps(found.fixed[name])
        losses = [one.place for one in found.entries if one.level == "loss" or one.refused]
        for at, native in enumerate(request[name] if isinstance(request[name], list) else ()):
            here = f"/{name}/{at}"
            lost = [mark for mark in SAID.findall(json.dumps(native)) if mark not in sent]
            is_said = any(one == here or one.startswith(f"{here}/") for one in losses)
            assert is_said or not lost, (seed, here, lost)


SAID: Final = re.compile(r"#[0-9]+|(?:sig|enc|rs_)[0-9]+")
"""The end of each text, and what is signed."""


@pytest.mark.parametrize("name", [[], {"a": 1}, 1, None])
def test_a_carried_function_may_have_a_name_that_is_no_text(name: object) -> None:
    tool = {"type": "function", "name": name, "parameters": {"type": "object"}}
    within = {"type": "namespace", "name": "n", "tools": [tool]}
    request: dict[str, Any] = {"model": "m", "input": "Hi", "tools": [tool, within]}
    read = interfaces.read("openai-responses", request)
    written = interfaces.write("openai-responses", read["request"], read["carried"])
    assert (written["request"], written["findings"]) == (request, [])
    reply: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": "Yes."}}]}
    said = interfaces.write_reply("openai-responses", reply, read["carried"])
    assert said == interfaces.write_reply("openai-responses", reply)
