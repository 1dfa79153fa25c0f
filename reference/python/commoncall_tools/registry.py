"""The command ``registry check``."""

import argparse
from datetime import date

from commoncall import protocol
from commoncall.protocol import ProtocolError
from commoncall_tools.console import EXIT_FAULT, Commands, UsageError, read, write_lines
from commoncall_tools.registry_check import KINDS, check


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    registry = commands.add_parser("registry", help="check a registry of models")
    parser = registry.add_subparsers(required=True, metavar="COMMAND").add_parser(
        "check",
        help="say what is wrong with a registry, or looks so",
        description="Exit status: 0 nothing to report, 1 something, 2 usage. A fault is against "
        "the form; stale is a revision that is old or no date; a conflict is a model that two "
        "providers list with different answers; unsafe is a prefix or default that would open a "
        "model which is listed as closed.",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        choices=[kind for kind in KINDS if kind != "fault"],
        help="report none of this kind; can be repeated",
    )
    parser.set_defaults(work=check_registry)


def check_registry(options: argparse.Namespace) -> int:
    """Print what is wrong in a registry, or looks so: 0 nothing, 1 something."""
    name, content = read(options.file)
    try:
        # A file that people keep: a member that stands twice is a mistake.
        document = protocol.parse(content, unique=True)
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
    problems = [
        problem
        for problem in check(document, today=date.today())
        if problem.kind not in options.allow
    ]
    lines = [f"{problem.kind}: {problem.text}" for problem in problems]
    write_lines(*lines, f"{name}: {len(problems) or 'nothing'} to report")
    return EXIT_FAULT if problems else 0
