"""The command ``cited``: the requirements that documents cite, held to the text of today."""

import argparse
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from commoncall.printable import printable
from commoncall_tools import text
from commoncall_tools.console import (
    EXIT_FAULT,
    Commands,
    UsageError,
    many,
    write_lines,
)

PREFIXES: Final = ("PAY", "CAP", "EVT", "EXT", "TRN", "ITF")
CITED: Final = re.compile(rf"(?<![A-Za-z0-9-])(?:{'|'.join(PREFIXES)})-[0-9]{{3}}(?![0-9])")
PINNED: Final = re.compile(r"commoncall[\s@,:v]+([0-9]{1,4}\.[0-9]{1,4})(?![0-9])", re.IGNORECASE)
"""``CommonCall 0.1``: the version that a document was written for."""

VERSION: Final = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})(?:\.|$)")
SKIPPED: Final = {"node_modules", "__pycache__"}
MAX_BYTES: Final = 16 * 1024 * 1024
"""A larger file is no document, in bytes."""


class Cited(NamedTuple):
    """An id in a file: ``problem`` is empty where it stands as it was read."""

    file: str
    line: int
    id: str
    problem: str


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "cited",
        help="check the requirement ids that documents cite",
        description="Looks for ids such as PAY-003 in files, and in all text files of folders. "
        "Exit status: 0 each stands, 1 one is unknown, withdrawn or reworded, 2 usage.",
    )
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a file, or a folder")
    parser.add_argument(
        "--since",
        type=_version,
        metavar="VERSION",
        help="name what was reworded since then; by default since the oldest version that a file "
        "names, as in `CommonCall 0.1`",
    )
    parser.set_defaults(work=check)


def check(options: argparse.Namespace) -> int:
    """Print what is wrong with citations, a line each, and how many there are."""
    law = text.read()
    if options.since and options.since > _parts(law.version):
        raise UsageError(f"--since is later than {law.version}, the version that is installed")
    found = [each for file in _files(options.paths) for each in cited(file, law, options.since)]
    wrong = [each for each in found if each.problem]
    write_lines(*(printable(f"{at.file}:{at.line}: {at.id} {at.problem}") for at in wrong))
    files = many(len({each.file for each in found}), "file")
    write_lines(f"{many(len(found), 'citation')} in {files}, {len(wrong)} to look at")
    return EXIT_FAULT if wrong else 0


def cited(file: Path, law: text.Text, since: tuple[int, int] | None) -> Iterator[Cited]:
    """Yield the citations in a file; in one that is no text there are none."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(file, error) from None
    if len(content) > MAX_BYTES or b"\0" in content:
        return
    document = content.decode(errors="replace")  # ids are ASCII, whatever stands around them
    pinned = since or min(map(_parts, PINNED.findall(document)), default=None)
    for number, line in enumerate(document.splitlines(), 1):
        for name in CITED.findall(line):
            yield Cited(str(file), number, name, _problem(name, law, pinned))


def _problem(name: str, law: text.Text, pinned: tuple[int, int] | None) -> str:
    if gone := law.withdrawn.get(name):
        return f"is {gone.said()}"
    if name not in law.requirements:
        return "is no requirement"
    changes = law.requirements[name].changes
    later = [each for each in changes if pinned and _parts(each) > pinned]
    return f"was reworded in {', '.join(later)}" if later else ""


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield files, and the files in folders that are not hidden. What is a link in a folder is no
    document: it leads to one that stands elsewhere, or to anything else.
    """
    folders = list(paths)[::-1]
    while folders:
        path = folders.pop()
        if not path.is_dir():
            yield path
            continue
        try:
            with os.scandir(path) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            raise _unreadable(path, error) from None
        shown = [each for each in entries if each.name[0] != "." and each.name not in SKIPPED]
        yield from (Path(each) for each in shown if each.is_file(follow_symlinks=False))
        folders += (Path(each) for each in shown[::-1] if each.is_dir(follow_symlinks=False))


def _unreadable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot read {path}: {error.strerror}")


def _version(given: str) -> tuple[int, int]:
    if not VERSION.match(given):
        raise argparse.ArgumentTypeError(f"{given!r} is no version such as 0.1")
    return _parts(given)


def _parts(version: str) -> tuple[int, int]:
    """Return major and minor version: text changes with minor versions only."""
    match = VERSION.match(version)
    assert match is not None
    return int(match[1]), int(match[2])
