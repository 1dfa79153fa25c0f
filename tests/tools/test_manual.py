"""The manual page and the completions that are kept know the command as it is."""

import argparse
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from commoncall_tools import COMMANDS, parser_of
from tools.release import manual


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the options of a parser and of those below it."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action.choices, dict):
            for inner in action.choices.values():
                if isinstance(inner, argparse.ArgumentParser):
                    yield from options(inner)


@pytest.mark.parametrize("name", [*manual.SHELLS.values(), manual.MANUAL])
def test_every_command_and_option_is_known(name: str, root: Path) -> None:
    """To the letter they are compared in the session `manual`: argparse words help anew."""
    text = (root / manual.FOLDER / name).read_text(encoding="utf-8").replace("\\-", "-")
    wanted = {*COMMANDS, *options(parser_of(None))} - {"-h", "--help"}
    # fish writes `-l seed` for `--seed`.
    assert not [one for one in wanted if one not in text and f" {one.lstrip('-')} " not in text]


ASKED = {
    "bash": "source commoncall.bash; COMP_WORDS=(commoncall sc); COMP_CWORD=1; "
    'f=$(complete -p commoncall | sed "s/.*-F //; s/ .*//"); $f commoncall sc commoncall; '
    'echo "${COMPREPLY[0]}"',
    "fish": 'source commoncall.fish; complete -C "commoncall sc"',
    "zsh": "autoload -Uz compinit; fpath=(. $fpath); compinit -u -D; autoload +X _commoncall; "
    'which _commoncall | grep -o "scan" | head -n 1',
}


@pytest.mark.parametrize("shell", ASKED)
def test_a_shell_completes_the_command(shell: str, root: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"NOT RUN: there is no {shell} here to complete in")
    done = subprocess.run(
        [program, "-c", ASKED[shell]], cwd=root / manual.FOLDER, capture_output=True, text=True
    )
    assert done.stdout.split()[:1] == ["scan"], done.stderr


def test_what_is_missing_or_old_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / manual.FOLDER).mkdir(parents=True)
    assert manual.main(["--check"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == len(manual.SHELLS) + 1
    assert manual.main(["--write"]) == 0
    assert manual.main(["--check"]) == 0
