"""The commands that need the kit: conformance, claims, and the suite that travels with us."""

import argparse
import gc
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

from commoncall_kit.runner import drive
from commoncall_kit.suite import data, vendored_tree
from commoncall_kit.suite.data import SUMS, DamagedSuiteError, Suite, SuiteError
from commoncall_kit.suite.vendored_tree import TargetError
from commoncall_kit.verdict import claim, junit, known_failures, markdown, report, terminal
from commoncall_kit.verdict.claim import ClaimError
from commoncall_kit.verdict.known_failures import KnownFailuresError
from commoncall_kit.verdict.report import Asked, Report, Selection
from commoncall_tools.console import (
    EXIT_FAULT,
    EXIT_USAGE,
    Commands,
    NotEstablishedError,
    UsageError,
    note,
    read,
    unknown,
    write_lines,
)
from commoncall_tools.progress import progress
from commoncall_tools.signals import exits_in_order
from commoncall_tools.targets import check_targets, write_target
from commoncall_tools.values import add_timeout, address, day

FORMS: Final[Mapping[str, tuple[str, str, Callable[[Report], str]]]] = {
    "report": ("FILE.json", "the whole report", report.to_json),
    "junit": ("FILE.xml", "JUnit XML", junit.render),
    "markdown": ("FILE.md", "a summary in Markdown", markdown.render),
    "claim": ("FILE.json", "a conformance claim", claim.render),
}
"""The forms of a report that become a file, by the name of their option."""

NAMED_FILES: Final = 10
"""So many files in one state are named one by one."""


def add(commands: Commands) -> None:
    """Add the commands to a parser."""
    _add_conformance(commands)

    export = commands.add_parser(
        "export",
        help="write the fixtures and schemas that a port takes along",
        description="Writes fixtures, schemas and their licence: all or nothing.",
    )
    export.add_argument(
        "folder", type=Path, metavar="DIR", help="is made; where it exists it has to be empty"
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
        "--operation",
        action="extend",
        nargs="+",
        default=[],
        metavar="O",
        help="only this operation",
    )
    parser.add_argument(
        "--case", action="extend", nargs="+", default=[], metavar="ID", help="only this case"
    )
    parser.add_argument(
        "--level", metavar="NAME", help="only the cases of this level, such as basic"
    )
    parser.add_argument("--known-failures", metavar="FILE", help="what may fail, and until when")
    parser.add_argument(
        "--today", type=day, metavar="DATE", help="the day by which known failures expire"
    )
    parser.add_argument("--set", metavar="NAME", help="score the cases of this set, such as 0.1")
    parser.add_argument(
        "--digest", metavar="SHA256", help="run only if the suite has this digest, sha256:..."
    )
    parser.add_argument(
        "--site", type=address, metavar="URL", help="where reports find the text, https://..."
    )
    for name, (metavar, what, _) in FORMS.items():
        parser.add_argument(f"--{name}", type=Path, metavar=metavar, help=f"write {what}, too")
    parser.add_argument("--seed", type=int, metavar="N", help="repeat the order of a run")
    add_timeout(parser)
    parser.add_argument(
        "--suite", type=Path, metavar="DIR", help="a tree with fixtures/v1 (default: our own)"
    )
    parser.set_defaults(work=run_conformance)


@contextmanager
def _said(damaged: type[UsageError] = UsageError) -> Iterator[None]:
    """Let what the kit finds wrong be one line for the user."""
    try:
        yield
    except DamagedSuiteError as error:
        raise damaged(str(error)) from None
    except (SuiteError, TargetError) as error:
        raise UsageError(str(error)) from None


@_said(damaged=NotEstablishedError)
def run_conformance(options: argparse.Namespace) -> int:
    """Drive an adapter, print the report and write its other forms; see the help for the status."""
    if not options.command:
        raise UsageError("conformance needs the adapter's command after --")
    if options.level and (options.contract or options.operation or options.case or options.set):
        others = "--contract, --operation, --case or --set"
        raise UsageError(f"a level is a selection of its own: without {others}")
    places = {name: path for name in FORMS if (path := getattr(options, name))}
    check_targets([*places.values()])
    suite = data.load(options.suite, options.set)
    if options.site:
        suite = suite.on_site(options.site)
    gc.freeze()  # the cases stay to the end: who looks for garbage passes them by
    asked = Asked(
        suite,
        random.randrange(2**32) if options.seed is None else options.seed,
        _selection(suite, options),
        _known(suite, options.known_failures) if options.known_failures else (),
        options.today or date.today(),
    )
    if options.digest in (None, suite.digest):
        with exits_in_order():
            found = drive(asked, options.command, options.timeout, progress("runs"))
    else:
        problem = f"the suite is {suite.digest}, and {options.digest} is asked for"
        found = report.build(asked, None, [], problem)
    again = ["--timeout", f"{options.timeout:g}", "--", *options.command]
    rerun = ["--suite", str(options.suite), *again] if options.suite else again
    write_lines(*terminal.render(found, rerun).removesuffix("\n").split("\n"))
    status = report.EXIT_STATUS[found.verdict]
    for name, path in places.items():
        try:
            write_target(path, FORMS[name][-1](found))
        except ClaimError as error:
            note(f"no claim is written: {error}")
            status = status or EXIT_USAGE
    return status


def _selection(suite: Suite, options: argparse.Namespace) -> Selection:
    """Return what a run is narrowed to: names that exist in the suite."""
    cases = [case.id for case in suite.cases]
    for what, names, known in (
        ("contract", options.contract, suite.contracts),
        ("operation", options.operation, [*suite.operations]),
        ("case", options.case, cases),
        ("level", [options.level] if options.level else [], [*suite.levels]),
    ):
        rest = "explain finds one by words of its id" if what == "case" else ""
        for name in names:
            if name not in known and {*name.split(",")} <= {*known}:
                raise UsageError(f"no {what} {name}; names are parted by spaces")
            if name not in known:
                raise unknown(f"no {what} {name}", name, known, rest)
    if not options.level:
        return Selection(options.contract, options.operation, options.case)
    level = suite.levels[options.level]
    held = [case.id for case in suite.cases if level.holds(case)]
    return Selection((), level.operations, held, options.level)


def _known(suite: Suite, file: str) -> list[known_failures.KnownFailure]:
    try:
        return known_failures.read(read(file)[1], suite)
    except KnownFailuresError as error:
        raise UsageError(f"{file}: {error}") from None


@_said()
def export_suite(options: argparse.Namespace) -> int:
    """Write the tree that a port vendors."""
    written = vendored_tree.export(options.folder)
    *parts, last = vendored_tree.PARTS
    what = f"{', '.join(parts)} and {last}"
    write_lines(f"wrote {what} to {options.folder}: {_suite(written)}")
    return 0


@_said()
def verify_copy(options: argparse.Namespace) -> int:
    """Check a vendored copy: 0 unchanged, 1 not."""
    found = vendored_tree.verify(options.folder)
    here, ours = _suite(found.identity), _suite(vendored_tree.identity())
    if found.differences:
        verdict = f"{options.folder} differs from its SHA256SUMS (files: {len(found.differences)})"
    else:
        verdict = f"{options.folder} is what its SHA256SUMS say (files: {found.files})"
    lines = [verdict, *_differences(found.differences)]
    if not found.is_whole:
        lines.append(f"not checked: what no {SUMS} of an export lists")
    if here == ours:
        lines.append(f"{here}, that of the installed commoncall")
    else:
        lines += [here, f"not that of the installed commoncall: {ours}"]
    write_lines(*lines)
    return EXIT_FAULT if found.differences else 0


def _differences(differences: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each file; where too many are in one state, one for all of those."""
    states: dict[str, list[str]] = {}
    for state, path in differences:
        states.setdefault(state, []).append(path)
    for state, paths in sorted(states.items()):
        if len(paths) > NAMED_FILES:
            yield f"  {state:11} {len(paths)} files, the first of them {paths[0]}"
        else:
            yield from (f"  {state:11} {path}" for path in paths)


def _suite(identity: vendored_tree.Identity) -> str:
    return f"suite {identity.version or 'without version'} {identity.digest}"
