"""Reading and writing of the command: files, standard streams, and one line for what goes wrong."""

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO, Final, TextIO, TypeAlias, cast

from commoncall.near import near_names, others_than
from commoncall.printable import printable

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a command adds its parser."""

MAX_INPUT: Final = 256 * 1024 * 1024
"""The longest input, in bytes."""

EXIT_FAULT: Final = 1
"""What was asked for was found out, and is not good."""
EXIT_USAGE: Final = 2
EXIT_NOT_ESTABLISHED: Final = 3

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class UsageError(Exception):
    """What the caller got wrong, in one line."""

    status: int = EXIT_USAGE


class NotEstablishedError(UsageError):
    """Nothing can be said of an adapter, in one line; it is not the caller's fault."""

    status = EXIT_NOT_ESTABLISHED


def unknown(what: str, wanted: str, known: Sequence[str], rest: str = "") -> UsageError:
    """Say that there is nothing with a name: which come near, else ``rest``, else all."""
    others = rest if rest and not near_names(wanted, known) else others_than(wanted, known)
    return UsageError(f"{what}; {others}")


@contextmanager
def opened(file: str | None) -> Iterator[tuple[str, io.BufferedReader]]:
    """Open a file or standard input; what goes wrong with it is one line for the user."""
    name = "standard input" if file in (None, "-") else str(file)
    try:
        if file not in (None, "-"):
            with open(name, "rb") as stream:  # noqa: PTH123 - pathlib is slow to import
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
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    # UTF-8 cannot carry a lone surrogate, an escape in JSON can.
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def many(count: int, noun: str) -> str:
    """Return a number and what it is of, in lines for people."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun.removesuffix('y')}ies" if noun.endswith("y") else f"{count} {noun}s"


def write(text: str) -> None:
    """Write to standard output at once."""
    rest = memoryview(text.encode())
    with output() as out:
        while rest:
            # With PYTHONUNBUFFERED it is a raw file, which takes what there is room for.
            rest = rest[out.write(rest) or 0 :]
        out.flush()


@contextmanager
def output() -> Iterator[BinaryIO]:
    """Give standard output; what goes wrong with it is one line for the user."""
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    try:
        yield sys.stdout.buffer
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon(sys.stdout)
        raise UsageError(f"cannot write the output: {error.strerror}") from None


def write_lines(*lines: str) -> None:
    """Write lines that hold what others chose: control characters are escaped."""
    write("".join(printable(line) + "\n" for line in lines))


def note_lines(*lines: str) -> None:
    """Write lines to standard error as `write_lines` does to standard output."""
    for line in lines:
        tell(printable(line))


def note(text: str) -> None:
    """Say something beside the output."""
    tell(f"commoncall: {text}")


def tell(text: str) -> None:
    """Write to standard error. Where nobody can be told, the exit status still says it."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Let what is still to be written to a standard stream go nowhere."""
    # The interpreter would try once more at its end, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
