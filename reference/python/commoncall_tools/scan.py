"""The command ``scan``: what leaked and what is poisoned in stored chats."""

import argparse
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from commoncall.printable import printable
from commoncall_tools.console import (
    EXIT_FAULT,
    EXIT_USAGE,
    Commands,
    UsageError,
    json_text,
    note,
    opened,
    write,
    write_lines,
)
from commoncall_tools.formats import one_format
from commoncall_tools.progress import progress
from commoncall_tools.scan_report import Report, lines
from commoncall_tools.scanning import How, merge, no_counts
from commoncall_tools.scanning.cores import cores, scan_batches
from commoncall_tools.scanning.counts import worst
from commoncall_tools.scanning.files import Batch, BrokenFileError, batches
from commoncall_tools.scanning.lines import MAX_LINE, Pointer, is_json, pointer
from commoncall_tools.scanning.texts import FORMATS
from commoncall_tools.signals import exits_in_order


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "scan",
        help="find leaked calls and poisoned histories in logs of chats",
        description="Reads lines of JSON, plain or in gzip, bzip2 or xz: a history (an array of "
        "messages, or an object with messages), a message, a reply (an object with choices), both "
        "as request and response, or a text. Exit status: 0 nothing "
        "leaked or poisoned, 1 something is or a file cannot be read to its end, 2 usage, or no "
        "line that can be judged.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="-: standard input")
    parser.add_argument(
        "--format",
        action="append",
        metavar="NAME",
        help="read texts with this format, or a server's name or a model for one; see formats; by "
        "default with all, and with the dialects that count where no format is given",
    )
    parser.add_argument(
        "--text",
        type=_place,
        metavar="POINTER",
        help="where the text of an assistant stands in a line, which then is nothing else",
    )
    parser.add_argument(
        "--model",
        type=_place,
        default=("model",),
        metavar="POINTER",
        help="where the name of the model stands; default: /model",
    )
    parser.add_argument(
        "--examples", type=_number, default=10, metavar="N", help="show so many; default: 10"
    )
    parser.add_argument(
        "--show-text", action="store_true", help="show what leaked, arguments included"
    )
    parser.add_argument(
        "--jobs", type=_number, metavar="N", help="so many processes; default: one for each core"
    )
    parser.add_argument("--json", action="store_true", help="print all counts, as JSON")
    parser.set_defaults(work=scan)


def scan(options: argparse.Namespace) -> int:
    """Print what stands in files."""
    report = _report(options)
    if options.json:
        write(json_text(report))
    else:
        write_lines(*lines(report))
    for error in report["errors"]:
        note(printable(error))
    bad = sum(one["count"] for one in report["bad"].values())
    if bad == report["lines"] and not report["errors"]:
        note(_nothing_judged(report, options.files))
        return EXIT_USAGE
    found = report["leaks"]["texts"] or report["poisoned"] or report["errors"]
    return EXIT_FAULT if found else 0


def _nothing_judged(report: Report, files: list[str]) -> str:
    """Say why no line can be judged, and what can be done about it."""
    if not report["lines"]:
        return "there is no line to judge"
    if report["bad"].keys() == {"text_missing"}:
        return "no line can be judged: where --text leads no line has a text"
    if not report["bad"].keys() & {"not_json", "not_utf8"}:
        return "no line can be judged; --text says where in a line the text stands"
    if len(files) == 1 and _is_document(files[0]):
        what = f"{printable(files[0])} is one JSON document, not lines of JSON"
        return f"{what}; jq -c . makes one line of it, jq -c '.[]' one of each element"
    return "no line can be judged: what was given is no lines of JSON"


def _is_document(file: str) -> bool:
    """Tell whether a file as a whole is JSON."""
    try:
        content = b"" if file == "-" else Path(file).read_bytes()
        return len(content) <= MAX_LINE and is_json(content.decode())
    except (OSError, UnicodeDecodeError):
        return False


def _report(options: argparse.Namespace) -> Report:
    sizes = _sizes(options.files)
    errors: list[str] = []
    how = How(
        formats=tuple(dict.fromkeys(map(one_format, options.format or ()))) or FORMATS,
        text=options.text,
        model=options.model,
        examples=options.examples,
        shows_text=options.show_text,
    )
    total = no_counts()
    with exits_in_order():
        given = _batches(options.files, sizes, errors)
        for counts in scan_batches(given, how, options.jobs or cores()):
            total = merge(total, counts, examples=how.examples)
    total["examples"] = worst(total["examples"], options.examples)
    return {**total, "errors": errors}


def _sizes(files: list[str]) -> list[int]:
    """Return the lengths of files. What is none is refused before hours of work; what can be read
    once only is not opened.
    """
    if files.count("-") > 1:
        raise UsageError("standard input can be read once only")
    sizes = []
    for file in files:
        try:
            found = None if file == "-" else Path(file).stat()
        except OSError as error:
            raise UsageError(f"cannot read {file}: {error.strerror}") from None
        if found and stat.S_ISDIR(found.st_mode):
            raise UsageError(f"cannot read {file}: Is a directory")
        sizes.append(found.st_size if found else 0)
    return sizes


def _batches(files: list[str], sizes: list[int], errors: list[str]) -> Iterator[Batch]:
    """Yield the lines of files; what cannot be read on is noted."""
    total = sum(sizes)
    tell = progress("bytes")
    for at, file in enumerate(files):
        try:
            with opened(file) as (name, stream):
                for batch in batches(name, stream):
                    yield batch
                    if sizes[at]:
                        tell(sum(sizes[:at]) + stream.tell(), total)
        except (BrokenFileError, UsageError) as error:
            errors.append(str(error))
    tell(total, total)


def _place(text: str) -> Pointer:
    try:
        return pointer(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise argparse.ArgumentTypeError("a number, at most 9999")
    return int(text)
