"""Reading and writing of the command: files, standard streams, and one line for what goes wrong."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from commoncall.kit import protocol, terminal
from commoncall.kit.protocol import ProtocolError

MAX_INPUT: Final = 256 * 1024 * 1024
"""The longest input, in bytes."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class UsageError(Exception):
    """What the caller got wrong, in one line."""


@contextmanager
def opened(file: str | None) -> Iterator[tuple[str, io.BufferedReader]]:
    """Open a file or standard input; what goes wrong with it is one line for the user."""
    name = "standard input" if file in (None, "-") else str(file)
    try:
        if file not in (None, "-"):
            with Path(name).open("rb") as stream:
                yield name, stream
            return
        if sys.stdin is None:
            raise UsageError("standard input is closed")
        if sys.stdin.isatty():
            note("reading from the terminal; end with Ctrl-D")
        yield name, cast(io.BufferedReader, sys.stdin.buffer)
    except BrokenPipeError:
        raise  # of the output: nobody reads any more
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None


def read(file: str | None) -> tuple[str, bytes]:
    """Return what people call a file, and its bytes; None or ``-`` is standard input."""
    with opened(file) as (name, source):
        content = source.read(MAX_INPUT + 1)
    if len(content) > MAX_INPUT:
        raise UsageError(f"{name} is longer than 256 MB")
    return name, content


def json_text(value: object) -> str:
    """Return JSON for people, with its last line feed."""
    return _utf8(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def json_line(value: object) -> str:
    """Return JSON on one line, with its line feed."""
    return _utf8(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _utf8(text: str) -> str:
    # UTF-8 cannot carry a lone surrogate, an escape in JSON can.
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def write(text: str) -> None:
    """Write to standard output at once."""
    try:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_output()
        raise UsageError(f"cannot write the output: {error.strerror}") from None


def write_lines(*lines: str) -> None:
    """Write lines that hold what others chose: control characters are escaped."""
    write("".join(terminal.printable(line) + "\n" for line in lines))


def abandon_output() -> None:
    """Let what is still to be written go nowhere."""
    # The interpreter would try once more at its end, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(text: str) -> None:
    """Say something beside the output."""
    print(f"commoncall: {text}", file=sys.stderr)


def read_json(file: str | None) -> tuple[str, object]:
    """Read a JSON file that people keep: a member that stands twice is a mistake."""
    name, content = read(file)
    try:
        return name, protocol.parse(content, unique=True)
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None


def progress() -> Callable[[int, int], None]:
    """Return what tells a terminal how far a run is, a hundred times at most."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def tell(done: int, total: int) -> None:
        if done == total or done % max(1, total // 100) == 0:
            end = "\n" if done == total else ""
            print(f"\r{done} of {total} runs", end=end, file=sys.stderr, flush=True)

    return tell
