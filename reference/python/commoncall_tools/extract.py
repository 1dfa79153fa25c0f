"""The command ``extract``."""

import argparse

from commoncall.extraction import extract
from commoncall.extraction.extract import Options
from commoncall_tools.console import (
    Commands,
    UsageError,
    json_text,
    note,
    read,
    write,
    write_lines,
)


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser("extract", help="find the calls in a text that a model wrote")
    parser.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    parser.add_argument(
        "--tool", action="append", metavar="NAME", help="a tool that is effective this turn"
    )
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="what the model writes: a format, a server's name for one, or a model; see formats",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say of each piece of the text what became of it, and what else it looks like",
    )
    parser.set_defaults(work=extract_calls)


def extract_calls(options: argparse.Namespace) -> int:
    """Print what stands in a text of a model."""
    name, content = read(options.file)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: invalid UTF-8 at byte {error.start}") from None
    how = _how(options)
    if text.lstrip()[:1] in ("{", "[") and '"role"' in text:
        note(f"{name} looks like JSON of chats, which scan and check read; extract reads a text")
    result = extract(text, **how)
    if options.explain:
        from commoncall_tools.text_pieces import lines

        write_lines(*lines(text, result, how.get("format")))
    else:
        write(json_text(result))
    return 0


def _how(options: argparse.Namespace) -> Options:
    """Return how to read a text."""
    if not options.tool:
        note("no --tool given: assuming that some tool is effective")
    how: Options = {"effective": options.tool or "any"}
    if options.format is not None:
        from commoncall_tools.formats import one_format

        how["format"] = one_format(options.format)
    return how
