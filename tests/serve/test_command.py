"""The command ``serve``, up to where it listens."""

from typing import Any

import pytest

from commoncall_serve import run
from commoncall_serve.exchange import Options
from commoncall_serve.work import Settings
from commoncall_tools import main, serve

UPSTREAM = ["serve", "--upstream", "http://127.0.0.1:8000/v1"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["serve", "--upstream", "server:8000"], "--upstream is no address: server:8000"),
        (["serve", "--upstream", "http://"], "--upstream is no address: http://"),
        (["serve", "--upstream", "http://a:x/v1"], "--upstream is no address: http://a:x/v1"),
        ([*UPSTREAM, "--profile", "vlm"], "no profile 'vlm'; near it: vllm"),
        ([*UPSTREAM, "--format", "qwen3-coda"], "no format 'qwen3-coda'; near it: qwen3-coder"),
        ([*UPSTREAM, "--retries", "-1"], "--retries is 0 or more"),
        ([*UPSTREAM, "--timeout", "nan"], "--timeout more than 0"),
        ([*UPSTREAM, "--port", "99999"], "--port is from 0 to 65535: 99999"),
    ],
)
def test_what_cannot_be_meant_is_said(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert told in capsys.readouterr().err


def test_without_its_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda _: None)
    assert main(UPSTREAM) == 2
    assert capsys.readouterr().err == f"commoncall: {serve.NEEDED}\n"


def test_it_listens_on_the_loopback_unless_it_is_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[tuple[Settings, str, int]] = []

    def note(*given: Any) -> int:
        ran.append(given)
        return 0

    monkeypatch.setattr(run, "run", note)
    assert main(UPSTREAM) == 0
    assert main([*UPSTREAM, "--host", "0.0.0.0", "--port", "1", "--retries", "0"]) == 0
    (settings, *listening), (open_settings, *open_listening) = ran
    assert (listening, settings.hosts) == (["127.0.0.1", 8080], ("127.0.0.1", "localhost"))
    assert settings.options == Options(None, "auto", 1, None)
    assert (open_listening, open_settings.hosts) == (["0.0.0.0", 1], ())
    assert open_settings.options.retries == 0
