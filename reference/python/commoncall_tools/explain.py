"""The command ``explain``: all that the fixtures say of an id, or what is known without them."""

import argparse
from collections.abc import Iterator, Sequence

from commoncall_tools import text
from commoncall_tools.console import Commands, UsageError, unknown, write_lines
from commoncall_tools.kit import NEEDED, is_installed


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser("explain", help="say what an id stands for, and what cites it")
    parser.add_argument(
        "id",
        metavar="ID",
        help="of a requirement, definition, operation, level, feature, code, fixed text, case or "
        "harm, or a report, as vllm#28543; or what an endpoint answered",
    )
    parser.set_defaults(work=explain_id)


def explain_id(options: argparse.Namespace) -> int:
    """Print what an id, a code or a case is."""
    lines = _all(options.id) if is_installed() else [*_known(options.id)]
    if not lines:
        found = text.read()
        known = {*found.requirements}.union(*found.codes.values())
        what = f"{options.id} is no requirement and no code"
        raise unknown(what, options.id, sorted(known), f"for all other ids and names this {NEEDED}")
    write_lines(*lines)
    return 0


def _all(id: str) -> list[str]:
    from commoncall_kit.suite import data
    from commoncall_kit.suite.lookup import UnknownIdError, look_up

    try:
        return look_up(data.documents(), id, demanded()).removesuffix("\n").split("\n")
    except (data.SuiteError, UnknownIdError) as error:
        raise UsageError(str(error)) from None


def demanded() -> dict[str, dict[str, Sequence[str]]]:
    """Return by contract and code the requirements that demand it."""
    codes = text.read().codes.items()
    return {
        contract: {name: code.requirements for name, code in known.items()}
        for contract, known in codes
    }


def _known(id: str) -> Iterator[str]:
    """Give what the text says of a requirement or a code; nothing of what it does not know."""
    found, name = text.read(), id.strip().removeprefix("commoncall:")
    if entry := found.requirements.get(name.upper()):
        yield f"{name.upper()}: {entry.title}"
        yield from ("", *entry.text.split("\n"), "")
        changed = f", changed in {', '.join(entry.changes)}" if entry.changes else ""
        yield f"since {entry.since}{changed}; {entry.address}"
    if gone := found.withdrawn.get(name.upper()):
        yield f"{name.upper()}: {gone.said()}"
    for contract, codes in found.codes.items():
        if code := codes.get(name.lower()):
            yield code.said(f"{name.lower()}, in {contract}")
