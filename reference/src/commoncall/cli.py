"""The command ``commoncall``: arguments, files and exit statuses. What it runs stands elsewhere.

Exit status of ``run``: 0 a result, 1 a contract's error; of ``conformance``: see its help; of
``verify``: 0 unchanged, 1 not; of ``registry check``: 0 nothing to report, 1 something; of every
command: 2 for what the caller got wrong, said in one line on standard error.
"""

from __future__ import annotations

import argparse
import codecs
import io
import json
import os
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from commoncall import __version__
from commoncall.capability import explain_resolve
from commoncall.capability.check import KINDS, MAX_AGE, check, parse_date
from commoncall.capability.importers import SOURCES, ImportedFileError
from commoncall.envelope import INVALID_INPUT
from commoncall.extraction import extract, extractor_for
from commoncall.kit import adapter, command, data, exported, protocol, report, terminal
from commoncall.kit.command import FORMS, OptionError
from commoncall.kit.data import DamagedSuiteError, SuiteError
from commoncall.kit.explain import explain
from commoncall.kit.exported import TargetError
from commoncall.kit.lookup import UnknownIdError, look_up
from commoncall.kit.protocol import ProtocolError

MAX_INPUT: Final = 256 * 1024 * 1024
"""The longest input, in bytes."""

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
EXIT_NOT_ESTABLISHED: Final = 3
EXIT_INTERRUPTED: Final = 130
EXIT_PIPE: Final = 141

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class UsageError(Exception):
    """What the caller got wrong, in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # Argparse has changed its mind about "--" between Python versions; what follows it is not ours.
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options = _parsed(arguments[:cut], dashed=cut < len(arguments))
    options.command = arguments[cut + 1 :]
    work: Callable[[argparse.Namespace], int] = options.work
    try:
        if options.command and work not in (_conformance, _claim):
            raise UsageError("only conformance and claim verify take a command after --")
        return work(options)
    except DamagedSuiteError as error:
        print(f"commoncall: {error}", file=sys.stderr)
        return EXIT_NOT_ESTABLISHED if work in (_conformance, _claim) else EXIT_USAGE
    except (UsageError, OptionError, SuiteError, TargetError, UnknownIdError) as error:
        print(f"commoncall: {error}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        _abandon_output()  # the reader has gone, which is its right
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
        lost = options.work in (_conformance, _claim) and not dashed
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
    run.set_defaults(work=_run)

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
    extract.set_defaults(work=_extract)

    serve = commands.add_parser("adapter", help="answer the harness protocol with the reference")
    serve.set_defaults(work=_adapter)

    _add_conformance(commands)
    _add_claim(commands)

    lookup = commands.add_parser("explain", help="say what an id stands for, and what cites it")
    lookup.add_argument(
        "id",
        metavar="ID",
        help="of a requirement, definition, operation, feature, code, fixed text or case",
    )
    lookup.set_defaults(work=_explain)

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
    export.set_defaults(work=_export)

    verify = commands.add_parser(
        "verify",
        help="check a copy of the fixtures and schemas",
        description="Exit status: 0 every file is what SHA256SUMS says, 1 not, 2 usage. A copy of "
        "another version than the installed one is named, and is no error.",
    )
    verify.add_argument(
        "folder", type=Path, metavar="DIR", help="what export wrote, or a copy of fixtures/v1"
    )
    verify.set_defaults(work=_verify)

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
    parser.set_defaults(work=_conformance)


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
    verify.set_defaults(work=_claim)


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
    imported.set_defaults(work=_registry_import)

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
    checked.set_defaults(work=_registry_check)


def _run(options: argparse.Namespace) -> int:
    if options.operation not in adapter.OPERATIONS:
        known = ", ".join(adapter.OPERATIONS)
        raise UsageError(f"no operation {options.operation}; there are {known}")
    suite = data.load() if options.explain else None
    name, content = _read(options.file)
    outcome: Mapping[str, object]
    value: object = None
    try:
        value = protocol.parse(content)
    except protocol.TooDeepError:
        outcome = INVALID_INPUT  # what every operation says of it
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
    else:
        outcome = adapter.answer(options.operation, value, {"ids": options.id})
    _write(_json(outcome.get("result", outcome)))
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


def _extract(options: argparse.Namespace) -> int:
    if options.stream:
        return _stream(options)
    name, content = _read(options.file)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: invalid UTF-8 at byte {error.start}") from None
    if not options.tool:
        _note("no --tool given: assuming that some tool is effective")
    _write(_json(extract(text, effective=options.tool or ["tool"])))
    return 0


def _stream(options: argparse.Namespace) -> int:
    """Print the events of an extraction while the text arrives; a call is printed whole."""
    if not options.tool:
        _note("no --tool given: assuming that some tool is effective")
    extractor = extractor_for(effective=options.tool or ["tool"], record=False)
    decoder = codecs.getincrementaldecoder("utf-8")()
    taken = 0
    with _opened(options.file) as (name, source):
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
                _write(_json_line(event))
    return 0


def _adapter(options: argparse.Namespace) -> int:
    try:
        adapter.serve(sys.stdin.buffer, sys.stdout.buffer)
    except ProtocolError as error:
        raise UsageError(f"the runner sent {error}") from None
    return 0


def _conformance(options: argparse.Namespace) -> int:
    if not options.command:
        raise UsageError("conformance needs the adapter's command after --")
    places = {name: path for name in FORMS if (path := getattr(options, name))}
    command.check_places(places)
    asked = _options(options)
    found = command.conformance(asked, _progress())
    again = ["--timeout", f"{options.timeout:g}", "--", *options.command]
    _write(terminal.render(found, ["--suite", str(asked.suite), *again] if asked.suite else again))
    status = report.EXIT_STATUS[found.verdict]
    if refused := command.write(found, places):
        _note(f"no claim is written: {refused}")
        return status or EXIT_USAGE
    return status


def _claim(options: argparse.Namespace) -> int:
    text, status = command.verify_claim(options.file, _options(options), _progress())
    _write_lines(*text.splitlines())
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


def _explain(options: argparse.Namespace) -> int:
    _write(look_up(data.documents(), options.id))
    return 0


def _export(options: argparse.Namespace) -> int:
    written = exported.export(options.folder, options.set)
    parts = (exported.FIXTURES, exported.SELFTEST, exported.SCHEMAS, exported.LICENCE)
    what = f"{', '.join(parts)} and {exported.README}"
    _write_lines(f"wrote {what} to {options.folder}: {_suite(written.identity)}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    found = exported.verify(options.folder)
    here, ours = _suite(found.identity), _suite(exported.identity())
    if found.differences:
        verdict = f"{options.folder} differs from its SHA256SUMS (files: {len(found.differences)})"
    else:
        verdict = f"{options.folder} is what its SHA256SUMS say (files: {found.files})"
    lines = [verdict, *_differences(found.differences)]
    if found.unchecked:
        lines.append(f"not checked: {found.unchecked}, which has no SHA256SUMS")
    if here == ours:
        lines.append(f"{here}, that of the installed commoncall")
    else:
        lines += [here, f"not that of the installed commoncall: {ours}"]
    _write_lines(*lines)
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


def _registry_import(options: argparse.Namespace) -> int:
    name, document = _read_json(options.file)
    try:
        registry = SOURCES[options.source](document, options.revision.isoformat())
    except ImportedFileError as error:
        raise UsageError(f"{name} is no file of {options.source}: it {error}") from None
    _write(_json(registry))
    return 0


def _registry_check(options: argparse.Namespace) -> int:
    name, document = _read_json(options.file)
    today = options.today or date.today()
    problems = [
        problem
        for problem in check(document, today=today, max_age=options.max_age)
        if problem.kind not in options.allow
    ]
    lines = [f"{problem.kind}: {problem.text}" for problem in problems]
    _write_lines(*lines, f"{name}: {len(problems) or 'nothing'} to report")
    return EXIT_PROBLEMS if problems else 0


def _read_json(file: str | None) -> tuple[str, object]:
    """Read a JSON file that people keep: a member that stands twice is a mistake."""
    name, content = _read(file)
    try:
        return name, protocol.parse(content, unique=True)
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None


def _suite(identity: exported.Identity) -> str:
    return f"suite {identity.version or 'without version'} {identity.digest}"


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


@contextmanager
def _opened(file: str | None) -> Iterator[tuple[str, io.BufferedReader]]:
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
            _note("reading from the terminal; end with Ctrl-D")
        yield name, cast(io.BufferedReader, sys.stdin.buffer)
    except BrokenPipeError:
        raise  # of the output: nobody reads any more
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None


def _read(file: str | None) -> tuple[str, bytes]:
    with _opened(file) as (name, source):
        content = source.read(MAX_INPUT + 1)
    if len(content) > MAX_INPUT:
        raise UsageError(f"{name} is longer than 256 MB")
    return name, content


def _json(value: object) -> str:
    return _utf8(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def _json_line(value: object) -> str:
    return _utf8(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _utf8(text: str) -> str:
    # UTF-8 cannot carry a lone surrogate, an escape in JSON can.
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _write(text: str) -> None:
    try:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _abandon_output()
        raise UsageError(f"cannot write the output: {error.strerror}") from None


def _write_lines(*lines: str) -> None:
    _write("".join(terminal.printable(line) + "\n" for line in lines))


def _abandon_output() -> None:
    # The interpreter would try once more at its end, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _note(text: str) -> None:
    print(f"commoncall: {text}", file=sys.stderr)


def _progress() -> Callable[[int, int], None]:
    """Return what tells a terminal how far a run is, a hundred times at most."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def tell(done: int, total: int) -> None:
        if done == total or done % max(1, total // 100) == 0:
            end = "\n" if done == total else ""
            print(f"\r{done} of {total} runs", end=end, file=sys.stderr, flush=True)

    return tell
