"""The command ``formats``."""

import argparse
from collections.abc import Sequence

from commoncall import protocol
from commoncall.dialect_data import format_ids, formats_named, read_format
from commoncall_tools import text
from commoncall_tools.console import (
    EXIT_FAULT,
    Commands,
    UsageError,
    json_text,
    note_lines,
    read,
    unknown,
    write,
    write_lines,
)


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "formats",
        help="list what families of models write",
        description="Without NAME: all formats, their titles, what servers call them, and how many "
        "scenarios the suite asks of each. `import FILE` makes a dialect of the response_template "
        "in a tokenizer_config.json, `export NAME` such a template of a format.",
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="a format, a server's name for one, or a model; or: import, export",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="what to import or to export")
    parser.set_defaults(work=list_formats)


def list_formats(options: argparse.Namespace) -> int:
    """Print the formats that a name stands for, or all."""
    if options.name in ("import", "export"):
        return template(options.name, options.file)
    if options.file is not None:
        raise UsageError("a FILE goes with import")
    found = format_ids() if options.name is None else _named(options.name)
    width = max(map(len, found))
    asked = text.read().scenarios
    write_lines(*(f"{id:{width}}  {_line(id)}, {asked[id]} scenarios" for id in found))
    return 0


def template(what: str, given: str | None) -> int:
    """Print the dialect of a template, or the template of a format, 0; or say what has no place in
    one, 1.
    """
    from commoncall_tools import response_template, template_export

    if given is None:
        takes = "FILE: a tokenizer_config.json or a response_template"
        raise UsageError(
            f"{what} takes {f'a {takes}' if what == 'import' else 'the NAME of a format'}"
        )
    try:
        if what == "export":
            made = template_export.exported(one_format(given))
        else:
            made = response_template.imported(_read_template(given), "imported")
    except response_template.NoPlaceError as error:
        note_lines(f"no {'template' if what == 'export' else 'dialect'}: {error}")
        return EXIT_FAULT
    write(json_text(made))
    return 0


def _read_template(file: str) -> object:
    name, content = read(file)
    try:
        given = protocol.parse(content)
    except protocol.ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
    return given.get("response_template", given) if isinstance(given, dict) else given


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
