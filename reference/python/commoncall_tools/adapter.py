"""The command ``adapter``."""

import argparse

from commoncall import adapter
from commoncall.protocol import ProtocolError
from commoncall_tools.console import Commands, UsageError, opened, output


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser("adapter", help="answer the harness protocol with the reference")
    parser.set_defaults(work=answer_runner)


def answer_runner(options: argparse.Namespace) -> int:
    """Answer a runner in the lines of the harness protocol."""
    try:
        with opened(None) as (_, lines), output() as out:
            adapter.serve(lines, out)
    except ProtocolError as error:
        raise UsageError(f"the runner sent {error}") from None
    return 0
