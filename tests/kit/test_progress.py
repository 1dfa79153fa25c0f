"""Where long work is: on a terminal a line that moves, elsewhere a line now and then."""

import sys
import time

import pytest

from commoncall_tools.progress import progress


def printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], step: float
) -> str:
    """Tell of thirty things that take so many seconds each; return what people see."""
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    tell = progress("runs")
    for done in range(1, 31):
        now += step
        tell(done, 30)
    return capsys.readouterr().err


def test_a_line_moves_on_a_terminal_and_is_gone_in_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    moves = [f"\r{done} of 30 runs" for done in range(10, 30, 10)]
    blank = f"\r{' ' * len('30 of 30 runs')}\r"
    assert printed(monkeypatch, capsys, 0.0101) == "".join([*moves, blank])


def test_elsewhere_there_is_a_line_every_ten_seconds_and_none_of_short_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(monkeypatch, capsys, 0.9) == "12 of 30 runs\n24 of 30 runs\n"
