"""The lists of mutants as files, and what a row says."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path


class MutantError(Exception):
    """A row is out of form, or nothing can be judged. The text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: ``find`` stands once in ``file`` and becomes ``replace``."""

    row: str
    requirement: str
    reading: str = ""
    file: str = ""
    find: str = ""
    replace: str = ""
    noticed_by: str = ""
    equal: str = ""

    def __str__(self) -> str:
        return f"{self.row} ({self.requirement}, {self.file})"


def read(
    root: Path, folder: str, names: Sequence[str], members: Collection[str], more: Collection[str]
) -> Iterator[Mutant]:
    """Read the rows of the named lists, of every list where none is named.

    A row has all ``members`` and perhaps one of ``more``.

    Raises:
        MutantError: there is no list, or one is out of form.
    """
    listed = sorted((root / folder).glob("*.json"))
    files = [root / folder / f"{name}.json" for name in names] or listed
    if not files:
        raise MutantError(f"{folder} holds no list")
    for file in files:
        try:
            rows = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise MutantError(f"cannot read {file}: {error}") from None
        for number, row in enumerate(rows, 1):
            name = f"{file.relative_to(root).as_posix()} row {number}"
            if not isinstance(row, dict) or row.keys() - {*more} != {*members}:
                raise MutantError(f"{name} does not hold {', '.join(members)}")
            if not all(isinstance(text, str) for text in row.values()):
                raise MutantError(f"{name} holds what is not a text")
            if len(row) > len(members) + 1:
                raise MutantError(f"{name} holds more than one of {', '.join(more)}")
            yield Mutant(name, **row)


def write(root: Path, mutants: Iterable[Mutant], members: Collection[str]) -> None:
    """Write mutants into their lists; ``row`` names the list of each, and its place there.

    A text that is empty is left out, but for those of ``members``.
    """
    for name, listed in groupby(mutants, key=lambda one: one.row.partition(" ")[0]):
        kept = [
            {
                member: text
                for member, text in row.items()
                if member != "row" and (text or member in members)
            }
            for row in map(asdict, listed)
        ]
        text = json.dumps(kept, indent=2, ensure_ascii=False)
        (root / name).write_text(f"{text}\n", encoding="utf-8")
