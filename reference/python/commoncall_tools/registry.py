"""The command ``registry check``: what is wrong with a registry, for the people who keep it.

The form for authors is that of schemas/v1/formats/registry.schema.json, which is stricter than
loading: an entry out of form closes its own models, and no others.
"""

import argparse

from commoncall import protocol
from commoncall.capability.registry_document import author_troubles, is_in_entry, load_troubles
from commoncall.places import pointer
from commoncall.protocol import ProtocolError
from commoncall_tools.console import EXIT_FAULT, Commands, UsageError, read, write_lines


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    registry = commands.add_parser("registry", help="check a registry of models")
    parser = registry.add_subparsers(required=True, metavar="COMMAND").add_parser(
        "check",
        help="say what is wrong with a registry",
        description="Exit status: 0 nothing to report, 1 something, 2 usage.",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    parser.set_defaults(work=check_registry)


def check_registry(options: argparse.Namespace) -> int:
    """Print what is wrong in a registry: 0 nothing, 1 something."""
    name, content = read(options.file)
    try:
        # A file that people keep: a member that stands twice is a mistake.
        document = protocol.parse(content, unique=True)
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
    found = faults(document)
    write_lines(*found, f"{name}: {len(found) or 'nothing'} to report")
    return EXIT_FAULT if found else 0


def faults(document: object) -> list[str]:
    """Return what is wrong with a document, any JSON: why it does not load, then its entries."""
    in_entries = (one for one in author_troubles(document) if is_in_entry(one.place))
    return [
        f"{pointer(place) or '/'} {what}" for place, what in [*load_troubles(document), *in_entries]
    ]
