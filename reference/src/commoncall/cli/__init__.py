"""The command ``commoncall``: arguments, files and exit statuses. What it runs stands elsewhere.

Exit status of ``run``: 0 a result, 1 a contract's error; of ``conformance``: see its help; of
``verify``: 0 unchanged, 1 not; of ``registry check``: 0 nothing to report, 1 something; of every
command: 2 for what the caller got wrong, said in one line on standard error.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from commoncall import __version__
from commoncall.capability.check import KINDS, MAX_AGE, parse_date
from commoncall.capability.importers import SOURCES
from commoncall.cli.commands import (
    check_registry,
    explain_id,
    export_suite,
    extract_calls,
    import_registry,
    run_conformance,
    run_operation,
    serve_adapter,
    verify_claim,
    verify_copy,
)
from commoncall.cli.console import UsageError, abandon_output, note
from commoncall.kit import adapter
from commoncall.kit.command import OptionError
from commoncall.kit.data import DamagedSuiteError, SuiteError
from commoncall.kit.exported import TargetError
from commoncall.kit.lookup import UnknownIdError
from commoncall.kit.terminal import printable

EXIT_USAGE: Final = 2
EXIT_NOT_ESTABLISHED: Final = 3
EXIT_INTERRUPTED: Final = 130
EXIT_PIPE: Final = 141

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


DRIVING: Final = (run_conformance, verify_claim)
"""What takes the command of an adapter behind ``--``."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # Argparse has changed its mind about "--" between Python versions; what follows it is not ours.
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options = _parsed(arguments[:cut], dashed=cut < len(arguments))
    options.command = arguments[cut + 1 :]
    work: Callable[[argparse.Namespace], int] = options.work
    try:
        if options.command and work not in DRIVING:
            raise UsageError("only conformance and claim verify take a command after --")
        return work(options)
    except DamagedSuiteError as error:
        note(printable(str(error)))
        return EXIT_NOT_ESTABLISHED if work in DRIVING else EXIT_USAGE
    except (UsageError, OptionError, SuiteError, TargetError, UnknownIdError) as error:
        note(printable(str(error)))  # names of files are in it, which can hold anything
        return EXIT_USAGE
    except BrokenPipeError:
        abandon_output()  # the reader has gone, which is its right
        return EXIT_PIPE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _parsed(arguments: Sequence[str], *, dashed: bool) -> argparse.Namespace:
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    # Older versions of argparse take a FILE for absent when an option stands before it.
    if len(rest) == 1 and not rest[0].startswith("-") and getattr(options, "file", "") is None:
        options.file = rest.pop()
    if rest:
        lost = options.work in DRIVING and not dashed
        hint = "; the adapter's command goes last, behind --: -- COMMAND ..." if lost else ""
        parser.error(f"unrecognized arguments: {' '.join(rest)}{hint}")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="commoncall",
        description="Contracts between an agent runtime and an LLM that exchange tool calls.",
    )
    parser.add_argument("--version", action="version", version=f"commoncall {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="run one operation: JSON in, JSON out")
    run.add_argument("operation", metavar="OPERATION", help=", ".join(adapter.OPERATIONS))
    run.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    run.add_argument(
        "--id", action="append", metavar="ID", help="an id for a call, in order of use"
    )
    run.add_argument(
        "--explain",
        action="store_true",
        help="say on standard error what each finding means, and which path a search took",
    )
    run.set_defaults(work=run_operation)

    extract = commands.add_parser("extract", help="find the calls in a text that a model wrote")
    extract.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    extract.add_argument(
        "--tool", action="append", metavar="NAME", help="a tool that is effective this turn"
    )
    extract.add_argument(
        "--stream",
        action="store_true",
        help="print each piece as soon as it is known, as a line of JSON",
    )
    extract.set_defaults(work=extract_calls)

    serve = commands.add_parser("adapter", help="answer the harness protocol with the reference")
    serve.set_defaults(work=serve_adapter)

    _add_conformance(commands)
    _add_claim(commands)

    lookup = commands.add_parser("explain", help="say what an id stands for, and what cites it")
    lookup.add_argument(
        "id",
        metavar="ID",
        help="of a requirement, definition, operation, feature, code, fixed text or case",
    )
    lookup.set_defaults(work=explain_id)

    export = commands.add_parser(
        "export",
        help="write the fixtures and schemas that a port takes along",
        description="Writes fixtures, schemas and their licence: all or nothing.",
    )
    export.add_argument(
        "folder", type=Path, metavar="DIR", help="is made; where it exists it has to be empty"
    )
    export.add_argument(
        "--set", metavar="NAME", help="only the cases that this set scores, such as 0.1"
    )
    export.set_defaults(work=export_suite)

    verify = commands.add_parser(
        "verify",
        help="check a copy of the fixtures and schemas",
        description="Exit status: 0 every file is what SHA256SUMS says, 1 not, 2 usage. A copy of "
        "another version than the installed one is named, and is no error.",
    )
    verify.add_argument(
        "folder", type=Path, metavar="DIR", help="what export wrote, or a copy of fixtures/v1"
    )
    verify.set_defaults(work=verify_copy)

    registry = commands.add_parser("registry", help="make and check registries of models")
    _add_registry_commands(registry.add_subparsers(required=True, metavar="COMMAND"))
    return parser


def _add_conformance(commands: Commands) -> None:
    parser = commands.add_parser(
        "conformance",
        help="say which requirement an adapter breaks",
        usage="commoncall conformance [options] -- COMMAND ...",
        description="Exit status: 0 conformant for every contract claimed, or nothing but known "
        "failures; 1 not; 2 usage; 3 could not be established. A claim is written after 1, too: it "
        "then says that a contract is not conformant.",
    )
    parser.add_argument(
        "--contract", action="extend", nargs="+", default=[], metavar="C", help="only this contract"
    )
    parser.add_argument(
        "--operation", action="extend", nargs="+", default=[], metavar="O", help="only its cases"
    )
    parser.add_argument(
        "--case", action="extend", nargs="+", default=[], metavar="ID", help="only this case"
    )
    parser.add_argument(
        "--known-failures", type=Path, metavar="FILE", help="what may fail, and until when"
    )
    parser.add_argument(
        "--today", type=_date, metavar="DATE", help="the day by which known failures expire"
    )
    parser.add_argument("--set", metavar="NAME", help="score the cases of this set, such as 0.1")
    parser.add_argument(
        "--digest", metavar="SHA256", help="run only if the suite has this digest, sha256:..."
    )
    files = {
        "report": ("FILE.json", "the whole report"),
        "junit": ("FILE.xml", "JUnit XML"),
        "markdown": ("FILE.md", "a summary in Markdown"),
        "badge": ("FILE.json", "what a badge endpoint serves"),
        "claim": ("FILE.json", "a conformance claim"),
    }
    for name, (metavar, what) in files.items():
        parser.add_argument(f"--{name}", type=Path, metavar=metavar, help=f"write {what}, too")
    _add_run(parser)
    parser.set_defaults(work=run_conformance)


def _add_claim(commands: Commands) -> None:
    parser = commands.add_parser("claim", help="check a conformance claim")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    verify = verbs.add_parser(
        "verify",
        help="hold a claim to the fixtures at hand",
        usage="commoncall claim verify [options] FILE [-- COMMAND ...]",
        description="With the adapter's command, to a run as well. Exit status: 0 the claim "
        "holds, 1 it does not, 2 usage, 3 it is about other fixtures, or no run could be made.",
    )
    verify.add_argument("file", type=Path, metavar="FILE", help="what conformance --claim wrote")
    _add_run(verify)
    verify.set_defaults(work=verify_claim)


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, metavar="N", help="repeat the order of a run")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=5.0,
        metavar="SECONDS",
        help="for one case (default: 5); a start may take 6 times that",
    )
    parser.add_argument(
        "--suite", type=Path, metavar="DIR", help="a tree with fixtures/v1 (default: our own)"
    )


def _add_registry_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
        type=_date,
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
        "--today", type=_date, metavar="DATE", help="count the age from here (default: today)"
    )
    checked.add_argument(
        "--max-age",
        type=_days,
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


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError("a number above 0, at most 3600")
    return seconds


def _date(text: str) -> date:
    day = parse_date(text)
    if day is None:
        raise argparse.ArgumentTypeError("a date such as 2026-08-18")
    return day


def _days(text: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise argparse.ArgumentTypeError("a number of days")
    return int(text)
