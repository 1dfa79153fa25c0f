"""Wrong readings of the text, as mutants of the Node port; a case has to notice each.

The mutants of the reference show what the cases hold of one program. These show what they hold of
the text: each row of ``tests/mutants/node/CONTRACT.json`` makes the port read one sentence as an
honest porter could misread it. ``{requirement, reading, file, find, replace}``: ``reading`` says in
one sentence what the port takes the text to mean. A row with ``equal`` says instead why no input
can tell the two apart; it is not run. The cases of the requirement come first, then the rest of its
contract, up to the first that fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from commoncall.kit.conformance import RunError, run
from commoncall.kit.data import Case, Suite, load
from commoncall.kit.progress import progress
from commoncall.kit.session import Session

ROOT: Final = Path(__file__).resolve().parents[2]
PORT: Final = "tests/adapters/node"
ADAPTER: Final = "adapter.mjs"
LISTS: Final = "tests/mutants/node"
REPORT: Final = "build/port-mutants.json"
MEMBERS: Final = {"requirement", "reading", "file", "find", "replace"}
SECONDS: Final = 5
"""How long one case may take; a mutant that takes longer loops for ever."""


class PortMutantError(Exception):
    """A row is out of form, or nothing can be judged. The text says why, in one line."""


@dataclass(frozen=True, slots=True)
class PortMutant:
    """One wrong reading; ``find`` stands once in ``file`` of the port and becomes ``replace``."""

    row: str
    requirement: str
    reading: str
    file: str
    find: str
    replace: str
    equal: str

    def __str__(self) -> str:
        return f"{self.row} ({self.requirement}, {self.file})"


def main(argv: Sequence[str] | None = None) -> int:
    """Run all mutants; the exit status is 0 when each is killed, or said to be equal and why."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.port_mutants", description="Misread the text; a case must notice."
    )
    parser.add_argument("list", nargs="*", help=f"{LISTS}/LIST.json only (default: all)")
    parser.add_argument("--node", default="node", help="the command of Node")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    options = parser.parse_args(argv)
    root = options.root.resolve()
    try:
        mutants = list(read(root, options.list))
        killers = judge_all(root, mutants, options.node)
    except PortMutantError as error:
        print(f"port_mutants: {error}", file=sys.stderr)
        return 1
    alive = [
        mutant
        for mutant, killer in zip(mutants, killers, strict=True)
        if not killer and not mutant.equal
    ]
    for mutant in alive:
        print(f"port_mutants: {mutant} survives: {mutant.reading}", file=sys.stderr)
    equal = sum(bool(mutant.equal) for mutant in mutants)
    killed = len(mutants) - equal - len(alive)
    print(f"{killed} of {len(mutants) - equal} wrong readings are noticed, {equal} are equal")
    if not options.list:
        rows = [
            {
                "requirement": mutant.requirement,
                "reading": mutant.reading,
                "file": mutant.file,
                "equal": mutant.equal,
                "killed_by": [killer] if killer else [],
            }
            for mutant, killer in zip(mutants, killers, strict=True)
        ]
        (root / REPORT).parent.mkdir(exist_ok=True)
        (root / REPORT).write_text(json.dumps({"mutants": rows}, indent=2) + "\n", "utf-8")
    return 1 if alive else 0


def read(root: Path, lists: Sequence[str] = ()) -> Iterator[PortMutant]:
    """Read the rows of the named lists, of every list where none is named.

    Raises:
        PortMutantError: there is none, or one is out of form.
    """
    folder = root / LISTS
    files = [folder / f"{name}.json" for name in lists] or sorted(folder.glob("*.json"))
    for file in files:
        try:
            rows = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise PortMutantError(f"cannot read {file}: {error}") from None
        for number, row in enumerate(rows, 1):
            name = f"{file.relative_to(root).as_posix()} row {number}"
            if not isinstance(row, dict) or row.keys() - {"equal"} != MEMBERS:
                raise PortMutantError(f"{name} does not hold {', '.join(sorted(MEMBERS))}")
            if not all(isinstance(text, str) for text in row.values()):
                raise PortMutantError(f"{name} holds what is not a text")
            yield PortMutant(row=name, equal=row.get("equal", ""), **_without_equal(row))


def _without_equal(row: dict[str, Any]) -> dict[str, str]:
    return {name: text for name, text in row.items() if name != "equal"}


def mutated(root: Path, mutant: PortMutant) -> str:
    """Return the source of the misread file.

    Raises:
        PortMutantError: the row does not apply, or changes nothing.
    """
    path = root / PORT / mutant.file
    if not path.is_file():
        raise PortMutantError(f"{mutant} names no file of the port")
    source = path.read_text("utf-8")
    times = source.count(mutant.find) if mutant.find else 0
    if times != 1:
        raise PortMutantError(f"{mutant} does not apply: `find` stands {times} times in the file")
    if mutant.find == mutant.replace:
        raise PortMutantError(f"{mutant} changes nothing")
    return source.replace(mutant.find, mutant.replace)


def judge_all(root: Path, mutants: Sequence[PortMutant], node: str) -> list[str]:
    """Return for each mutant the case that noticed it, or "".

    Raises:
        PortMutantError: a mutant does not apply, names no requirement, or does not start.
    """
    suite = load(root)
    sources = [mutated(root, mutant) for mutant in mutants]
    for mutant in mutants:
        if mutant.requirement not in suite.requirements:
            raise PortMutantError(f"{mutant} names no requirement")

    def judge(mutant: PortMutant, source: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            port = shutil.copytree(root / PORT, Path(folder) / "port")
            (port / mutant.file).write_text(source, "utf-8")
            return "" if mutant.equal else _killer(suite, mutant, [node, str(port / ADAPTER)])

    tell = progress("wrong readings")
    killers: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(judge, mutants, sources):
            killers.append(found)
            tell(len(killers), len(mutants))
    return killers


def _killer(suite: Suite, mutant: PortMutant, command: Sequence[str]) -> str:
    session = Session(command, suite, SECONDS)
    try:
        declaration = session.start()
        for case in cases_for(suite, mutant.requirement):
            (result,), problem = run([case], declaration, session.ask, 0)
            if problem or result.outcome in ("failed", "errored"):
                return case.id
    except RunError as error:
        raise PortMutantError(f"{mutant} is no program: {error}") from None
    finally:
        session.kill()
    return ""


def cases_for(suite: Suite, requirement: str) -> list[Case]:
    """Return the cases of a contract, those that cite the requirement first."""
    contract = suite.requirements[requirement].contract
    cases = [case for case in suite.cases if case.operation.contract == contract]
    return sorted(cases, key=lambda case: requirement not in case.requirements)


if __name__ == "__main__":
    sys.exit(main())
