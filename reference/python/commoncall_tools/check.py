"""The command ``check``: a request or a history before it is sent, for people and for CI."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from commoncall import protocol
from commoncall.json_text import MAX_DEPTH
from commoncall.levels import Level
from commoncall.payload.profile import STRICT
from commoncall.protocol import ProtocolError
from commoncall_tools import text
from commoncall_tools.check_reports import Report, Said, lines, to_json
from commoncall_tools.console import (
    EXIT_FAULT,
    Commands,
    UsageError,
    json_text,
    note,
    note_lines,
    read,
    write,
    write_lines,
)
from commoncall_tools.endpoint_answers import Endpoints, to_do
from commoncall_tools.native_findings import check_native, interface_of
from commoncall_tools.positions import lines_of
from commoncall_tools.profiles import flags_for
from commoncall_tools.request_findings import Entry, Findings, check, refused_input
from commoncall_tools.targets import check_targets, write_target

_REFUSED: Final = "PAY-171"
_WRITING: Final = "interface.write"  # which says nothing of an endpoint
LEVELS: Final[Sequence[Level]] = ("note", "repair", "loss")


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "check",
        help="say what an endpoint would refuse of a request or a history",
        description="Judges JSON in the form of Chat Completions, of Anthropic Messages, of "
        "Responses or of Ollama, as it would go out: a request, or the list of its messages alone. "
        "Exit status: 0 the endpoint was not seen to refuse anything of it, and nothing is found "
        "at the level of --fail-on or above, 1 something is, or nothing can be sent, 2 usage. "
        "Without --profile a line names each known endpoint that refuses something else of it; the "
        "status does not count these.",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help=f"what the endpoint takes: a profile, or a file of one (default: {STRICT})",
    )
    parser.add_argument(
        "--fail-on",
        choices=LEVELS,
        default="repair",
        help="the least level for the status 1 (default: repair), which what is refused has in any "
        "case; note asks whether it can go out exactly as it is",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="print what may be sent, as JSON; the report goes to standard error",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE.json", help="write the report as JSON, too"
    )
    parser.set_defaults(work=check_file)


def check_file(options: argparse.Namespace) -> int:
    """Print what is wrong with a request or a history; see the help for the status."""
    if options.report:
        check_targets([options.report])
        if options.file and options.report.resolve() == Path(options.file).resolve():
            raise UsageError("a report would replace the input")
    name, content = read(options.file)
    profile, document, found = _judged(name, content, options.profile)
    file = None if options.file in (None, "-") else options.file
    endpoints, others = Endpoints(document), list[str]()
    if profile is None:
        note(f"no --profile given: {STRICT} says what any endpoint was seen to refuse")
        profile = STRICT
        others = endpoints.refusing(found.entries)
    findings = _said(content, found, endpoints.answers(found.entries, profile))
    report = Report(file, profile, options.fail_on, findings, others)
    if options.report:
        write_target(options.report, to_json(report))
    is_refused = any(each.level == "refused" for each in found.entries)
    if options.fix:
        note_lines(*lines(report))
        if not is_refused:
            write(json_text(found.fixed))
    else:
        write_lines(*lines(report))
    if options.fix and is_refused:
        note("nothing is written, since nothing of it can be sent")
    return EXIT_FAULT if report.failed else 0


def _judged(name: str, content: bytes, profile: str | None) -> tuple[str | None, object, Findings]:
    """Judge what a file holds, and return by which profile: that of its interface where none is
    given, and None where that is none, either.
    """
    flags_for(profile or STRICT, None)  # a name that is unknown is said first
    try:
        # Of a member that stands twice nobody knows which one a server reads.
        document = protocol.parse(content, unique=True)
    except protocol.TooDeepError:
        return profile, None, Findings([refused_input(f"it nests deeper than {MAX_DEPTH}")])
    except ProtocolError as error:
        more = "; scan reads lines of JSON" if "Extra data" in str(error) else ""
        raise UsageError(f"{name}: {error}{more}") from None
    if (interface := interface_of(document, profile)) is None:
        return profile, document, check(document, flags_for(profile or STRICT, document))
    profile = profile or interface
    return profile, document, check_native(document, interface, flags_for(profile, document))


def _said(content: bytes, found: Findings, answers: Sequence[str]) -> list[Said]:
    """Return findings with their lines, meanings and requirements, in the order of the lines."""
    if not found.entries:
        return []
    codes = text.read().codes
    at = lines_of(content.decode(), {each.place for each in found.entries})

    is_mended = all(each.level != "refused" for each in found.entries)

    def known(each: Entry) -> text.Code:
        return codes[each.operation.partition(".")[0]][each.code]

    said = [
        Said(
            each.place,
            at[each.place],
            each.level,
            each.code,
            known(each).meaning,
            _requirements(each, known(each)),
            each.why,
            each.refused,
            answered,
            to_do(each.code, is_mended) if each.refused else "",
        )
        for each, answered in zip(found.entries, answers, strict=True)
    ]
    return sorted(said, key=lambda each: each.line)


def _requirements(entry: Entry, code: text.Code) -> list[str]:
    """Return the requirements that demand a code, and with what is refused that which says so."""
    others = [each for each in code.demanded(entry.operation) if each != _REFUSED]
    is_finding = entry.refused and entry.level != "refused" and entry.operation != _WRITING
    return [*others, _REFUSED] if is_finding else others
