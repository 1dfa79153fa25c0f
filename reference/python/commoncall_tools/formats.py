"""The command ``formats``."""

import argparse
from collections.abc import Sequence

from commoncall.dialect_data import format_ids, formats_named, read_format
from commoncall_tools import text
from commoncall_tools.console import Commands, UsageError, json_text, unknown, write, write_lines


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "formats",
        help="list what families of models write",
        description="Without NAME: all formats, their titles, what servers call them, and how many "
        "scenarios the suite asks of each.",
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="a format, a server's name for one, or a model"
    )
    parser.add_argument("--json", action="store_true", help="print the file of the format NAME")
    parser.set_defaults(work=list_formats)


def list_formats(options: argparse.Namespace) -> int:
    """Print the formats that a name stands for, or all."""
    if options.json:
        if options.name is None:
            raise UsageError("--json takes the NAME of a format")
        write(json_text(read_format(one_format(options.name))))
        return 0
    found = format_ids() if options.name is None else _named(options.name)
    width = max(map(len, found))
    asked = text.read().scenarios
    write_lines(*(f"{id:{width}}  {_line(id)}, {asked[id]} scenarios" for id in found))
    return 0


def one_format(name: str) -> str:
    """Return the id of the one format that a name stands for."""
    found = _named(name)
    if len(found) > 1:
        raise UsageError(f"{name} is the name of several formats: {', '.join(found)}")
    return found[0]


def _named(name: str) -> Sequence[str]:
    found = formats_named(name)
    if not found:
        names = (each["name"] for id in format_ids() for each in read_format(id)["names"])
        known = list(dict.fromkeys([*format_ids(), *names]))
        what = f"no format, server or model is called {name}"
        raise unknown(what, name, known, f"formats: {', '.join(format_ids())}")
    return found


def _line(id: str) -> str:
    """Return the title of a format, and what servers call it."""
    document = read_format(id)
    named: dict[str, list[str]] = {}
    for each in document["names"]:
        server, _, _version = each["in"].partition(" ")
        named.setdefault(server, []).append(each["name"])
    names = "; ".join(f"{server} {', '.join(names)}" for server, names in named.items())
    return f"{document['title']}{f' ({names})' if names else ''}"
