"""The parts of the gateway that do no I/O."""

import pytest

from commoncall_serve.chunks import Events
from commoncall_serve.metrics import MOST, Metrics

STREAM = "﻿data: a\n\n\r\n: c\r\rdata: é\r\ndata: b\r\n\r\n\ndata: half\n".encode()


def cut(*pieces: bytes) -> list[list[str]]:
    events = Events()
    return [event for piece in pieces for event in events.feed(piece)]


def test_events_wherever_their_bytes_are_cut() -> None:
    wanted = [["data: a"], [": c"], ["data: é", "data: b"]]
    assert cut(STREAM) == wanted
    assert cut(*(bytes([byte]) for byte in STREAM)) == wanted
    for at in range(len(STREAM)):
        assert cut(STREAM[:at], STREAM[at:]) == wanted


@pytest.mark.parametrize("name", ['a"b\\c\nd', "\ud800"])
def test_a_name_is_escaped(name: str) -> None:
    metrics = Metrics()
    metrics.count("tool_calls_total", tool=name, status="ok")
    [line] = [one for one in metrics.text().split("\n") if one.startswith("tool_calls_total{")]
    assert line.encode()
    assert line.endswith('"} 1')


def test_names_of_clients_make_so_many_series_and_no_more() -> None:
    metrics = Metrics()
    for number in range(2 * MOST):
        metrics.count("tool_calls_total", tool=f"t{number}", status="ok")
    lines = [one for one in metrics.text().split("\n") if one.startswith("tool_calls_total{")]
    assert len(lines) == MOST + 1
    assert 'tool_calls_total{status="other",tool="other"} 1000' in lines
