"""The command ``run``."""

import argparse
from collections.abc import Mapping

from commoncall import adapter, protocol
from commoncall.envelope import INVALID_INPUT
from commoncall.json_text import MAX_DEPTH
from commoncall.protocol import ProtocolError
from commoncall_tools.console import (
    EXIT_FAULT,
    Commands,
    UsageError,
    json_text,
    note_lines,
    read,
    unknown,
    write,
)


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "run",
        help="run one operation: JSON in, JSON out",
        description="Exit status: 0 a result, 1 an error of the contract, 2 usage.",
    )
    parser.add_argument("operation", metavar="OPERATION", help=", ".join(adapter.OPERATIONS))
    parser.add_argument("file", metavar="FILE", nargs="?", help="default: standard input")
    parser.set_defaults(work=run_operation)


def run_operation(options: argparse.Namespace) -> int:
    """Run one operation on JSON: 0 a result, 1 a contract's error."""
    if options.operation not in adapter.OPERATIONS:
        name = options.operation
        raise unknown(f"no operation {name}", name, [*adapter.OPERATIONS])
    name, content = read(options.file)
    outcome: Mapping[str, object]
    value: object = None
    why: str | None
    try:
        value = protocol.parse(content)
    except protocol.TooDeepError:
        outcome = INVALID_INPUT  # what every operation says of it
        why = f"the input nests deeper than {MAX_DEPTH}"
    except ProtocolError as error:
        raise UsageError(f"{name}: {error}") from None
    else:
        outcome = adapter.answer(options.operation, value, None)
        why = _why(options.operation, value, outcome)
    write(json_text(outcome.get("result", outcome)))
    if why:
        note_lines(f"invalid_input: {why}")
    return 0 if "result" in outcome else EXIT_FAULT


def _why(operation: str, value: object, outcome: Mapping[str, object]) -> str | None:
    """Say which member an operation refuses, and what is expected there."""
    if outcome != INVALID_INPUT:
        return None
    from commoncall.diagnosis import diagnose

    return diagnose(operation, value)
