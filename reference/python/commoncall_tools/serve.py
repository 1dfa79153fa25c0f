"""The command ``adapter``."""

import argparse
import sys

from commoncall import adapter
from commoncall.protocol import ProtocolError
from commoncall_tools.console import Commands, UsageError


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser("adapter", help="answer the harness protocol with the reference")
    parser.set_defaults(work=serve_adapter)


def serve_adapter(options: argparse.Namespace) -> int:
    """Answer a runner in the lines of the harness protocol."""
    try:
        adapter.serve(sys.stdin.buffer, sys.stdout.buffer)
    except ProtocolError as error:
        raise UsageError(f"the runner sent {error}") from None
    return 0
