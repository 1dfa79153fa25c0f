"""The commands ``registry import`` and ``registry check``."""

import argparse
from datetime import date

from commoncall import protocol
from commoncall.protocol import ProtocolError
from commoncall_tools.console import (
    EXIT_FAULT,
    Commands,
    UsageError,
    json_text,
    read,
    write,
    write_lines,
)
from commoncall_tools.registries.check import KINDS, MAX_AGE, check
from commoncall_tools.registries.importers import SOURCES, ImportedFileError
from commoncall_tools.values import day, days


def add(commands: Commands) -> None:
    """Add the commands to a parser."""
    registry = commands.add_parser("registry", help="make and check registries of models")
    _add_verbs(registry.add_subparsers(required=True, metavar="COMMAND"))


def _add_verbs(commands: Commands) -> None:
    imported = commands.add_parser(
        "import",
        help="write the registry that a public catalogue of models gives",
        description="Only what the catalogue states with true or false is kept.",
    )
    imported.add_argument(
        "--from", required=True, dest="source", choices=SOURCES, help="whose file it is"
    )
    imported.add_argument(
        "--revision",
        required=True,
        type=day,
        metavar="DATE",
        help="the day that the file is of, as 2026-08-18; no file states it",
    )
    imported.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    imported.set_defaults(work=import_registry)

    checked = commands.add_parser(
        "check",
        help="say what is wrong with a registry, or looks so",
        description="Exit status: 0 nothing to report, 1 something, 2 usage. A fault is against "
        "the form; stale is a revision that is old or no date; a conflict is a model that two "
        "providers list with different answers; unsafe is a prefix or default that would open a "
        "model which is listed as closed.",
    )
    checked.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    checked.add_argument(
        "--today", type=day, metavar="DATE", help="count the age from here (default: today)"
    )
    checked.add_argument(
        "--max-age",
        type=days,
        default=MAX_AGE,
        metavar="DAYS",
        help=f"how old a revision may be (default: {MAX_AGE})",
    )
    checked.add_argument(
        "--allow",
        action="append",
        default=[],
        choices=[kind for kind in KINDS if kind != "fault"],
        help="report none of this kind; can be repeated",
    )
    checked.set_defaults(work=check_registry)


def import_registry(options: argparse.Namespace) -> int:
    """Print a public catalogue as a registry."""
    name, document = _read(options.file)
    try:
        registry = SOURCES[options.source](document, options.revision.isoformat())
    except ImportedFileError as error:
        raise UsageError(f"{name} is no file of {options.source}: it {error}") from None
    write(json_text(registry))
    return 0


def check_registry(options: argparse.Namespace) -> int:
    """Print what is wrong in a registry, or looks so: 0 nothing, 1 something."""
    name, document = _read(options.file)
    today = options.today or date.today()
    problems = [
        problem
        for problem in check(document, today=today, max_age=options.max_age)
        if problem.kind not in options.allow
    ]
    lines = [f"{problem.kind}: {problem.text}" for problem in problems]
    write_lines(*lines, f"{name}: {len(problems) or 'nothing'} to report")
    return EXIT_FAULT if problems else 0


def _read(file: str | None) -> tuple[str, object]:
    """Read a JSON file that people keep: a member that stands twice is a mistake."""
    name, content = read(file)
    try:
        return name, protocol.parse(content, unique=True)
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
