"""What the subcommands do: each takes the parsed arguments and returns the exit status."""

from __future__ import annotations

import argparse
import codecs
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final

from commoncall.capability import explain_resolve
from commoncall.capability.check import check
from commoncall.capability.importers import SOURCES, ImportedFileError
from commoncall.cli.console import (
    MAX_INPUT,
    UsageError,
    json_line,
    json_text,
    note,
    opened,
    progress,
    read,
    read_json,
    write,
    write_lines,
)
from commoncall.envelope import INVALID_INPUT
from commoncall.extraction import extract, extractor_for
from commoncall.kit import adapter, command, data, exported, protocol, report, terminal
from commoncall.kit.command import FORMS
from commoncall.kit.explain import explain
from commoncall.kit.lookup import look_up
from commoncall.kit.protocol import ProtocolError

PATHS: Final[Mapping[str, Callable[[Mapping[str, object]], list[str]]]] = {
    "capability.resolve": explain_resolve
}
"""The operations that search, and what says in lines for people which path a search took, of an
input that is not refused.
"""

MAX_EXTRA: Final = 10
"""So many superfluous files are named one by one."""

CHUNK: Final = 64 * 1024
"""How many bytes of a stream are taken at once, at most."""

EXIT_ERROR: Final = 1
EXIT_DIFFERS: Final = 1
EXIT_PROBLEMS: Final = 1
EXIT_USAGE: Final = 2


def run_operation(options: argparse.Namespace) -> int:
    """Run one operation on JSON: 0 a result, 1 a contract's error."""
    if options.operation not in adapter.OPERATIONS:
        known = ", ".join(adapter.OPERATIONS)
        raise UsageError(f"no operation {options.operation}; there are {known}")
    suite = data.load() if options.explain else None
    name, content = read(options.file)
    outcome: Mapping[str, object]
    value: object = None
    try:
        value = protocol.parse(content)
    except protocol.TooDeepError:
        outcome = INVALID_INPUT  # what every operation says of it
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
    else:
        outcome = adapter.answer(
            options.operation, value, {"ids": options.id} if options.id else None
        )
    write(json_text(outcome.get("result", outcome)))
    if suite:
        _explain_outcome(suite, options.operation, value, outcome)
    return 0 if "result" in outcome else EXIT_ERROR


def _explain_outcome(
    suite: data.Suite, operation: str, value: object, outcome: Mapping[str, object]
) -> None:
    lines = explain(suite, operation, outcome)
    if operation in PATHS and isinstance(value, dict) and "result" in outcome:
        lines = [*PATHS[operation](value), *lines]
    for line in lines or ["nothing to explain: the outcome holds no code"]:
        print(terminal.printable(line), file=sys.stderr)


def extract_calls(options: argparse.Namespace) -> int:
    """Print what stands in a text of a model, or its events while it arrives."""
    if options.stream:
        return _print_stream(options)
    name, content = read(options.file)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: invalid UTF-8 at byte {error.start}") from None
    if not options.tool:
        note("no --tool given: assuming that some tool is effective")
    write(json_text(extract(text, effective=options.tool or ["tool"])))
    return 0


def _print_stream(options: argparse.Namespace) -> int:
    """Print the events of an extraction while the text arrives; a call is printed whole.

    What was meant as a call and could not be read stands at the end.
    """
    if not options.tool:
        note("no --tool given: assuming that some tool is effective")
    extractor = extractor_for(effective=options.tool or ["tool"], record=False)
    decoder = codecs.getincrementaldecoder("utf-8")()
    taken = 0
    with opened(options.file) as (name, source):
        ended = False
        while not ended:
            piece = source.read1(CHUNK)
            ended = not piece
            taken += len(piece)
            if taken > MAX_INPUT:
                raise UsageError(f"{name} is longer than 256 MB")
            pending = len(decoder.getstate()[0])  # bytes of a character that is not whole yet
            try:
                text = decoder.decode(piece, ended)
            except UnicodeDecodeError as error:
                at = taken - len(piece) - pending + error.start
                raise UsageError(f"{name}: invalid UTF-8 at byte {at}") from None
            events = extractor.feed(text) + (extractor.finish() if ended else [])
            for event in events:
                write(json_line(event))
    for lost in extractor.unreadable:
        write(json_line({"unreadable": lost}))
    return 0


def serve_adapter(options: argparse.Namespace) -> int:
    """Answer a runner in the lines of the harness protocol."""
    try:
        adapter.serve(sys.stdin.buffer, sys.stdout.buffer)
    except ProtocolError as error:
        raise UsageError(f"the runner sent {error}") from None
    return 0


def run_conformance(options: argparse.Namespace) -> int:
    """Drive an adapter, print the report and write its other forms; see the help for the status."""
    if not options.command:
        raise UsageError("conformance needs the adapter's command after --")
    places = {name: path for name in FORMS if (path := getattr(options, name))}
    command.check_places(places)
    asked = _options(options)
    found = command.conformance(asked, progress())
    again = ["--timeout", f"{options.timeout:g}", "--", *options.command]
    write(terminal.render(found, ["--suite", str(asked.suite), *again] if asked.suite else again))
    status = report.EXIT_STATUS[found.verdict]
    if refused := command.write(found, places):
        note(f"no claim is written: {refused}")
        return status or EXIT_USAGE
    return status


def verify_claim(options: argparse.Namespace) -> int:
    """Run an adapter again and compare with its claim."""
    text, status = command.verify_claim(options.file, _options(options), progress())
    write_lines(*text.splitlines())
    return status


def _options(options: argparse.Namespace) -> command.Options:
    given = vars(options)
    return command.Options(
        options.command,
        seed=random.randrange(2**32) if options.seed is None else options.seed,
        timeout=options.timeout,
        today=given.get("today") or date.today(),
        suite=options.suite,
        frozen=given.get("set"),
        digest=given.get("digest"),
        contracts=given.get("contract", []),
        operations=given.get("operation", []),
        cases=given.get("case", []),
        known=given.get("known_failures"),
    )


def explain_id(options: argparse.Namespace) -> int:
    """Print what an id, a code or a case is."""
    write(look_up(data.documents(), options.id))
    return 0


def export_suite(options: argparse.Namespace) -> int:
    """Write the tree that a port vendors."""
    written = exported.export(options.folder, options.set)
    parts = (exported.FIXTURES, exported.SELFTEST, exported.SCHEMAS, exported.LICENCE)
    what = f"{', '.join(parts)} and {exported.README}"
    write_lines(f"wrote {what} to {options.folder}: {_suite(written.identity)}")
    return 0


def verify_copy(options: argparse.Namespace) -> int:
    """Check a vendored copy: 0 unchanged, 1 not."""
    found = exported.verify(options.folder)
    here, ours = _suite(found.identity), _suite(exported.identity())
    if found.differences:
        verdict = f"{options.folder} differs from its SHA256SUMS (files: {len(found.differences)})"
    else:
        verdict = f"{options.folder} is what its SHA256SUMS say (files: {found.files})"
    lines = [verdict, *_differences(found.differences)]
    lines += [f"not checked: {part}" for part in found.unchecked]
    if here == ours:
        lines.append(f"{here}, that of the installed commoncall")
    else:
        lines += [here, f"not that of the installed commoncall: {ours}"]
    write_lines(*lines)
    return EXIT_DIFFERS if found.differences else 0


def _differences(differences: Sequence[tuple[str, str]]) -> list[str]:
    """Return a line for each file; where too many are superfluous, one for all of those."""
    extra = [path for state, path in differences if state == "superfluous"]
    many = len(extra) > MAX_EXTRA
    lines = [
        f"  {state:11} {path}"
        for state, path in differences
        if not (many and state == "superfluous")
    ]
    if many:
        lines.append(f"  superfluous {len(extra)} files, the first of them {extra[0]}")
    return lines


def import_registry(options: argparse.Namespace) -> int:
    """Print a public catalogue as a registry."""
    name, document = read_json(options.file)
    try:
        registry = SOURCES[options.source](document, options.revision.isoformat())
    except ImportedFileError as error:
        raise UsageError(f"{name} is no file of {options.source}: it {error}") from None
    write(json_text(registry))
    return 0


def check_registry(options: argparse.Namespace) -> int:
    """Print what is wrong in a registry, or looks so: 0 nothing, 1 something."""
    name, document = read_json(options.file)
    today = options.today or date.today()
    problems = [
        problem
        for problem in check(document, today=today, max_age=options.max_age)
        if problem.kind not in options.allow
    ]
    lines = [f"{problem.kind}: {problem.text}" for problem in problems]
    write_lines(*lines, f"{name}: {len(problems) or 'nothing'} to report")
    return EXIT_PROBLEMS if problems else 0


def _suite(identity: exported.Identity) -> str:
    return f"suite {identity.version or 'without version'} {identity.digest}"
