"""The command ``commoncall``: arguments, files and exit statuses. What it runs stands elsewhere.

The exit status of each command stands in its help. That of every command is 2 for what the caller
got wrong, said in one line on standard error.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from importlib import import_module
from typing import Final, NoReturn

from commoncall import __version__
from commoncall.near import others_than
from commoncall.printable import printable
from commoncall_tools.console import EXIT_USAGE, Commands, UsageError, abandon, note
from commoncall_tools.kit import NEEDED, is_installed

EXIT_INTERRUPTED: Final = 130
EXIT_PIPE: Final = 141

MODULES: Final = {
    "run": "run",
    "check": "check",
    "extract": "extract",
    "scan": "scan",
    "formats": "formats",
    "profiles": "profiles",
    "serve": "serve",
    "probe": "probe",
    "adapter": "adapter",
    "conformance": "suite",
    "survey": "survey",
    "explain": "explain",
    "export": "suite",
    "verify": "suite",
    "cited": "cited",
    "registry": "registry",
}
"""The commands, each with the module of this package that adds it. What it runs is slow to import,
so no other command imports it.
"""

COMMANDS: Final = (*MODULES,)

OF_KIT: Final = ("conformance", "survey", "export", "verify")
"""The commands that need the kit, which is a distribution of its own."""

_MEANT: Final = {"help": "--help", "version": "--version"}
_OPTIONS: Final = ("--help", "--version")

DRIVING: Final = ("conformance", "survey")
"""The commands that take the command of an adapter behind ``--``; others take names of files."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stderr is None:  # it is closed, and what is printed there would go to standard output
        with open(os.devnull, "w") as nowhere, redirect_stderr(nowhere):  # noqa: PTH123
            return main(arguments)
    if arguments and arguments[0] in OF_KIT and not is_installed():
        note(f"{arguments[0]} {NEEDED}")
        return EXIT_USAGE
    try:
        options = _read(arguments)
        work: Callable[[argparse.Namespace], int] = options.work
        return work(options)
    except UsageError as error:
        note(printable(str(error)))  # names of files are in it, which can hold anything
        return error.status
    except BrokenPipeError:
        abandon(sys.stdout)  # the reader has gone, which is its right
        return EXIT_PIPE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    # Argparse has changed its mind about "--" between Python versions.
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    ours, behind = arguments[:cut], arguments[cut + 1 :]
    if not ours or ours[0] not in DRIVING:
        return _parsed([*ours, *map(_file, behind)])
    options = _parsed(ours, dashed=cut < len(arguments))
    options.command = behind
    return options


def _file(name: str) -> str:
    """Return a name that stands behind ``--`` as one that no parser takes for an option."""
    return os.path.join(os.curdir, name) if name[:1] == "-" != name else name  # noqa: PTH118


def _parsed(arguments: Sequence[str], *, dashed: bool = False) -> argparse.Namespace:
    arguments = [_MEANT.get(arguments[0], arguments[0]), *arguments[1:]] if arguments else ["-h"]
    first = arguments[0]
    if first not in (*COMMANDS, "-h", "--help", "--version"):
        kind, known = ("option", _OPTIONS) if first.startswith("-") else ("command", COMMANDS)
        raise UsageError(f"no {kind} {first!r}; {others_than(first, known)}")
    parser = parser_of(first if first in (*COMMANDS, "--version") else None)
    options, rest = parser.parse_known_args(arguments)
    if rest:
        lost = first in DRIVING and not dashed
        hint = "; the adapter's command goes last, behind --: -- COMMAND ..." if lost else ""
        raise UsageError(
            f"{first} has no argument {' '.join(rest)}{hint or _near_option(parser, rest)}"
        )
    return options


def _near_option(parser: argparse.ArgumentParser, rest: Sequence[str]) -> str:
    """Return the options that come near the first argument that is none, or how to see all."""
    known = [one for one in _options_of(parser) if one.startswith("--")]
    near = others_than(rest[0], known) if rest[0].startswith("-") else ""
    return f"; {near}" if near.startswith("near") else "; -h shows what there is"


def _options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _options_of(inner)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments, which can hold anything, in what a terminal shows."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def parser_of(command: str | None) -> argparse.ArgumentParser:
    """Return the parser of one command, or of all; what a command runs is imported with it."""
    parser: argparse.ArgumentParser = _Parser(
        prog="commoncall",
        description="Contracts between an agent runtime and an LLM that exchange tool calls.",
    )
    parser.add_argument("--version", action="version", version=f"commoncall {__version__}")
    commands = parser.add_subparsers(required=True, title="commands", metavar="COMMAND [OPTIONS]")
    if command != "--version":  # which needs none of them
        _add(commands, command)
    return parser


def _add(commands: Commands, command: str | None) -> None:
    """Add a command, or all of them. Without the kit, those that need it only say so."""
    wanted = COMMANDS if command is None else (command,)
    missing = () if is_installed() else OF_KIT
    for module in dict.fromkeys(MODULES[name] for name in wanted if name not in missing):
        import_module(f"commoncall_tools.{module}").add(commands)
    for name in wanted:
        if name in missing:
            commands.add_parser(name, help=NEEDED)
