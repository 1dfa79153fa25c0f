"""The manual page and the completions of the command, made of its parser.

    python -m tools.release.manual --check
    python -m tools.release.manual --write

They stand in ``reference/python/shell``, and the wheel puts them where shells and ``man`` look.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import shtab
from argparse_manpage.manpage import Manpage

from commoncall.dialect_data import format_ids, profile_ids
from commoncall.payload.profile import STRICT
from commoncall_tools import parser_of

FOLDER: Final = Path("reference/python/shell")
SHELLS: Final = {"bash": "commoncall.bash", "zsh": "_commoncall", "fish": "commoncall.fish"}
MANUAL: Final = "commoncall.1"


def texts() -> Mapping[str, str]:
    """Return each file's text by its name."""
    named = _with_names(parser_of(None))
    made = {name: shtab.complete(named, shell) for shell, name in SHELLS.items()}
    return {**made, MANUAL: _manual(parser_of(None))}


def _with_names(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Let shells offer formats and profiles, which a command takes under other names, too."""
    names = {"--profile": [STRICT, *profile_ids()], "--format": format_ids()}
    for commands in parser._actions:
        for each in commands.choices.values() if isinstance(commands.choices, dict) else ():
            for option, action in each._option_string_actions.items():
                action.choices = names.get(option, action.choices)
    return parser


def _manual(parser: argparse.ArgumentParser) -> str:
    page = Manpage(parser)
    page.description = "the contracts between an agent runtime and an LLM that exchange tool calls"
    # The day of a build would make it another file each time.
    page.date, page.manual = "", "CommonCall"
    return str(page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0, or 1 with a line for each file that is out of date."""
    os.environ["COLUMNS"] = "80"  # the usage lines of argparse are as long as a terminal is wide
    parser = argparse.ArgumentParser(prog="python -m tools.release.manual")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="write the files anew")
    what.add_argument("--check", action="store_true", help="say which are out of date")
    if parser.parse_args(arguments).write:
        for name, text in texts().items():
            (FOLDER / name).write_text(text, encoding="utf-8")
        return 0
    stale = [name for name, text in texts().items() if _read(FOLDER / name) != text]
    for name in stale:
        print(f"{FOLDER / name} is out of date: nox -s manual -- --write", file=sys.stderr)
    return int(bool(stale))


def _read(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.exists() else None


if __name__ == "__main__":
    sys.exit(main())
