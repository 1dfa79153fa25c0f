"""The command ``extract``."""

import argparse
import codecs
from typing import Final

from commoncall.extraction import extract, extractor_for
from commoncall.extraction.extract import Options
from commoncall_tools.console import (
    MAX_INPUT,
    Commands,
    UsageError,
    json_line,
    json_text,
    note,
    opened,
    read,
    too_long,
    write,
    write_lines,
)

CHUNK: Final = 64 * 1024
"""How many bytes of a stream are taken at once, at most."""


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
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--explain",
        action="store_true",
        help="say of each piece of the text what became of it, and what else it looks like",
    )
    how.add_argument(
        "--stream",
        action="store_true",
        help="print each piece as soon as it is known, as a line of JSON",
    )
    parser.set_defaults(work=extract_calls)


def extract_calls(options: argparse.Namespace) -> int:
    """Print what stands in a text of a model, or its events while it arrives."""
    if options.stream:
        return _print_stream(options)
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
    how: Options = {"effective": options.tool, "observe": not options.tool}
    if options.format is not None:
        from commoncall_tools.formats import one_format

        how["format"] = one_format(options.format)
    return how


def _print_stream(options: argparse.Namespace) -> int:
    """Print the events of an extraction while the text arrives; a call is printed whole.

    So is what was meant as a call and could not be read.
    """
    extractor = extractor_for(**_how(options), record=False)
    decoder = codecs.getincrementaldecoder("utf-8")()
    taken = 0
    with opened(options.file) as (name, source):
        ended = False
        while not ended:
            piece = source.read1(CHUNK)
            ended = not piece
            taken += len(piece)
            if taken > MAX_INPUT:
                raise too_long(name)
            pending = len(decoder.getstate()[0])  # bytes of a character that is not whole yet
            try:
                text = decoder.decode(piece, ended)
            except UnicodeDecodeError as error:
                at = taken - len(piece) - pending + error.start
                raise UsageError(f"{name}: invalid UTF-8 at byte {at}") from None
            events = extractor.feed(text) + (extractor.finish() if ended else [])
            for event in events:
                write(json_line(event))
    return 0
