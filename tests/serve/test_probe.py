"""What a probe asks, and what it makes of the answers of the strict server."""

import io
import json
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commoncall import turn
from commoncall.payload import load_profile
from commoncall.payload.profile import profile_of
from commoncall_serve.probe import COUNT
from commoncall_serve.probes import PROBES, WITH_PAST, Probe
from commoncall_tools import main
from tests.evidence.integrations.script import LEAKED, MODEL
from tests.evidence.integrations.strict_server import Reply, running
from tests.serve.served import serving

REFUSALS = [one for one in PROBES if one.taken is None]


@pytest.mark.parametrize("probe", REFUSALS, ids=lambda one: one.name)
def test_a_request_holds_what_it_is_there_for(probe: Probe) -> None:
    """The law finds that refusal in it, and the endpoint that takes all has nothing against it."""

    def refused(names: list[str]) -> list[str]:
        flags = {"base": "open", "refuses": names}
        sent = turn.prepare({"model": "m", **probe.request}, capability=True, profile=flags)
        return [one["code"] for one in sent["findings"] if one.get("refused")]

    others = [one.name for one in REFUSALS if one.name != probe.name]
    assert refused([probe.name])
    assert not refused(others)


def leaking(request: Mapping[str, Any]) -> Reply:
    return Reply({"role": "assistant", "content": LEAKED if "tools" in request else "Yes."})


def test_an_endpoint_without_an_address_is_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "127.0.0.1:9/v1", "--model", "m", "--yes"]) == 2
    assert "URL is no address: 127.0.0.1:9/v1" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["vllm", "openai", "deepseek", "strict"])
def test_a_probe_finds_what_the_strict_server_refuses(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = load_profile(name, origin={"provider": name, "model": MODEL})
    with running(leaking, flags) as log:
        address = log.address
        assert main(["probe", address, "--model", MODEL, "--profile", name, "--yes"]) == 0
        assert len(log.requests) == COUNT - (name != "deepseek")
        sent = len(log.refused)
    found, said = capsys.readouterr()
    assert f"Up to {COUNT} small requests go to {address}" in said
    assert "calls of the model: in the text: 4\n" in said
    profile = json.loads(found)
    profile_of(profile["flags"])  # which raises where it is none
    assert profile["evidence"].keys() == profile["flags"].keys()
    is_refused = [
        one.refused == profile["flags"].get(one.name, ...) for one in (WITH_PAST, *PROBES)
    ]
    assert sum(is_refused) + len(profile["flags"]["refuses"]) == sent
    for flag in ("developer_role", "user_after_tool"):
        assert profile["flags"][flag] == flags.get(flag, False), flag
    # No probe lacks a user, so that none tells `user_first` from `true`.
    assert profile["flags"]["repeated_roles"] == bool(flags.get("repeated_roles", False))
    assert "repeated_roles" not in said


def test_a_key_is_sent_and_never_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []

    async def chat(request: Request) -> Response:
        keys.append(request.headers["authorization"])
        body = await request.json()
        if "tools" in body and not body["tools"]:
            return JSONResponse({"error": {"message": f"no tools for {keys[-1]}"}}, 400)
        if body.get("tool_choice"):
            return JSONResponse({}, 429)
        return JSONResponse({"choices": [{"message": {"content": "Yes."}}]})

    monkeypatch.setenv("PROBED_KEY", "sk-secret")
    route = Route("/chat/completions", chat, methods=["POST"])
    with serving(Starlette(routes=[route])) as address:
        command = ["probe", address, "--model", "m", "--yes", "--key-env", "PROBED_KEY"]
        assert main([*command, "--profile", "vllm"]) == 0
    found, said = capsys.readouterr()
    assert {*keys} == {"Bearer sk-secret"}
    assert "sk-secret" not in found + said
    assert json.loads(found)["evidence"]["refuses"]["tools_empty"][0]["says"].endswith("Bearer ...")
    assert "choice_without_tools: not known" in said
    assert "calls of the model: no call: 4" in said


@pytest.mark.parametrize(("said", "status"), [("y\n", 0), ("\n", 2), ("", 2)])
def test_it_asks_beside_the_profile(
    said: str, status: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.StringIO(said)
    monkeypatch.setattr(typed, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", typed)
    with running(leaking, load_profile("vllm")) as log:
        assert main(["probe", log.address, "--model", MODEL]) == status
        assert bool(log.requests) == (status == 0)
    found, told = capsys.readouterr()
    assert "Go on? [y/N] " in told
    assert found == "" if status else json.loads(found)


@pytest.mark.parametrize(
    ("more", "status", "told"),
    [
        ([], 2, "nothing was sent; --yes sends without a question"),
        (["--yes"], 1, "a request that nobody should refuse was not accepted: no answer: URLError"),
        (["--yes", "--key-env", "NO_SUCH_KEY"], 2, "the environment has no NO_SUCH_KEY"),
        (["--yes", "--profile", "vlm"], 2, "no profile 'vlm'; near it: vllm"),
        (["--yes", "--format", "qwen3-coda"], 2, "no format 'qwen3-coda'; near it: qwen3-coder"),
    ],
)
def test_nothing_is_sent_unasked_and_nothing_found_is_said(
    more: list[str], status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["probe", "http://127.0.0.1:9/v1", "--model", "m", *more]) == status
    found, said = capsys.readouterr()
    assert found == ""
    assert told in said
