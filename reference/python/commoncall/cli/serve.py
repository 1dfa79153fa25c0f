"""The command ``adapter``."""

import argparse

from commoncall.cli.console import Commands, UsageError, opened, output
from commoncall.kit.drive import adapter
from commoncall.kit.drive.protocol import ProtocolError


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser("adapter", help="answer the harness protocol with the reference")
    parser.set_defaults(work=serve_adapter)


def serve_adapter(options: argparse.Namespace) -> int:
    """Answer a runner in the lines of the harness protocol."""
    try:
        with opened(None) as (_, lines), output() as out:
            adapter.serve(lines, out)
    except ProtocolError as error:
        raise UsageError(f"the runner sent {error}") from None
    return 0
