"""Where long work is: on a terminal a line that moves, elsewhere a line now and then."""

import sys
import time

import pytest

from commoncall_tools.progress import progress


def test_a_line_moves_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    tell = progress("runs")
    for done in range(1, 501):
        tell(done, 500)
    printed = capsys.readouterr().err
    moves = printed.split("\r")[1:]
    assert len(moves) == 101
    assert moves[98] == "495 of 500 runs"
    assert moves[99:] == [" " * len("500 of 500 runs"), ""]
    assert "\n" not in printed


def test_elsewhere_there_is_a_line_every_ten_seconds_and_none_of_short_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    tell = progress("mutants")
    for done in range(1, 31):
        now += 0.9
        tell(done, 30)
    assert capsys.readouterr().err == "12 of 30 mutants\n24 of 30 mutants\n"
