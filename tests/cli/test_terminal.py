"""What people see on a terminal, in colour and within its width, and that files get none of it."""

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.command import COMMAND, process

pytest.importorskip("rich")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PLAIN = dict.fromkeys(("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS"), "")


def on_terminal(*arguments: str, width: int = 80, env: Mapping[str, str] | None = None) -> str:
    """Return what the command writes to a terminal of so many columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in PLAIN}
    running = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**kept, "TERM": "xterm-256color", **(env or {})},
    )
    os.close(theirs)
    written = bytearray()
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux ends a terminal so
            break
        if not piece:
            break
        written += piece
    running.communicate()
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colour_and_the_same_words() -> None:
    shown = on_terminal("explain", "PAY-003", width=400)
    assert "\x1b[35mPAY-003\x1b[0m" in shown
    plain = process("explain", "PAY-003").stdout.decode()
    assert COLOUR.sub("", shown).split() == plain.split()


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_the_terminal(width: int) -> None:
    lines = COLOUR.sub("", on_terminal("formats", width=width)).splitlines()
    assert max(map(len, lines)) <= width


def test_a_line_that_goes_on_is_indented() -> None:
    lines = COLOUR.sub("", on_terminal("formats", width=40)).splitlines()
    assert any(line.startswith("  ") for line in lines)


def test_the_last_column_stays_one(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"role": "assistant", "content": "<tool_call>{}</tool_call>"}\n', "utf-8")
    lines = COLOUR.sub("", on_terminal("scan", str(log), width=60)).splitlines()
    at = next(number for number, line in enumerate(lines) if " bielik, " in line)
    column = lines[at].index("bielik")
    assert lines[at + 1][:column].isspace()
    assert lines[at + 1][column] != " "
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_no_colour_gets_none(env: Mapping[str, str]) -> None:
    assert not COLOUR.search(on_terminal("explain", "PAY-003", env=env))


def test_files_and_pipes_get_no_colour() -> None:
    assert b"\x1b" not in process("explain", "PAY-003").stdout
    assert b"\x1b" not in process("formats", env={"TERM": "xterm-256color"}).stdout


def test_json_on_a_terminal_is_plain() -> None:
    assert not COLOUR.search(on_terminal("profiles", "vllm"))


def test_without_rich_a_terminal_gets_plain_lines() -> None:
    absent = "import sys; sys.modules['rich.console'] = None"
    program = f"{absent}; from commoncall_tools import main; main(['explain', 'PAY-003'])"
    ours, theirs = os.openpty()
    subprocess.run([sys.executable, "-c", program], stdout=theirs, check=True)
    os.close(theirs)
    assert not COLOUR.search(os.read(ours, 65536).decode())
    os.close(ours)
