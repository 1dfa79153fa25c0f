"""Are the cases adequate? The reference is broken on purpose, and a case has to notice each time.

``tests/evidence/mutants/CONTRACT.json`` lists the mutants: ``{requirement, at, find, replace,
noticed_by}``. ``at`` names a function, class or constant (``repaired``, ``Extractor.feed``,
``HEADER_LENGTH``), ``find`` is what stands once in it, ``replace`` what comes there;
``syntax_edit.py`` compares them as syntax. A mutant is killed when a case that cites its
requirement fails; ``noticed_by`` names the one that is asked first. Where it does not fail, the
others are asked, and ``--write`` puts the first that does in the row. This file reads the lists,
says what is an error, and writes the report; ``mutant_worker.py`` runs each mutant in a process of
its own.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from commoncall_tools.progress import progress
from tests.evidence.adequacy import lists
from tests.evidence.adequacy.lists import MutantError

ROOT: Final = Path(__file__).resolve().parents[3]
LISTS: Final = "tests/evidence/mutants"
SOURCE: Final = "reference/python/commoncall"
REPORT: Final = "build/mutants.json"
MEMBERS: Final = ("requirement", "at", "find", "replace")

SECONDS: Final = 10
"""How much processor time one mutant may take with all its cases; what takes more loops for ever.
The slowest that ends takes 3.6."""

UNBROKEN: Final = 60
"""How much the reference as it is may take with all cases. It takes 7."""

BATCH: Final = 400 if hasattr(os, "fork") else 1
"""How many mutants one worker runs. It reads the suite and compiles the package once, and
forks for each, where it can."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: ``find`` stands once in what ``at`` names, and becomes ``replace``."""

    row: str
    requirement: str
    at: str
    find: str
    replace: str
    noticed_by: str = ""

    def __str__(self) -> str:
        return f"{self.row} ({self.requirement}, {self.at})"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a mutant came to: the cases that killed it, and why it is an error, if it is."""

    killed_by: Sequence[str] = ()
    problem: str | None = None


def main(argv: Sequence[str] | None = None) -> int:
    """Run all mutants; the exit status is 0 when each is killed and no requirement lacks one."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evidence.adequacy.mutants",
        description="Break the reference; a case must notice.",
    )
    parser.add_argument("list", nargs="*", help=f"{LISTS}/LIST.json only (default: all)")
    parser.add_argument("--write", action="store_true", help="renew `noticed_by` in the lists")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    options = parser.parse_args(argv)
    root = options.root.resolve()
    try:
        mutants = read(root, options.list)
        verdicts, problems = judge_all(root, mutants, all_lists=not options.list)
    except MutantError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 1
    killers = [next(iter(verdict.killed_by), "") for verdict in verdicts]
    if options.write:
        mutants = [replace(one, noticed_by=by) for one, by in zip(mutants, killers, strict=True)]
        lists.write(root, map(asdict, mutants), MEMBERS)
    problems += [
        f"{mutant} is noticed by {killer}; --write says so in the row"
        for mutant, killer in zip(mutants, killers, strict=True)
        if killer and killer != mutant.noticed_by
    ]
    requirements = len({mutant.requirement for mutant in mutants})
    report = {
        "mutants": [
            {
                "requirement": mutant.requirement,
                "at": mutant.at,
                "find": mutant.find,
                "killed_by": list(verdict.killed_by),
            }
            for mutant, verdict in zip(mutants, verdicts, strict=True)
        ],
        "requirements": requirements,
    }
    if not options.list:  # the site shows it as the whole
        file = root / REPORT
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for problem in problems:
        print(f"mutants: {problem}", file=sys.stderr)
    killed = sum(bool(verdict.killed_by) for verdict in verdicts)
    print(f"{killed} of {len(mutants)} mutants of {requirements} requirements are killed")
    return 1 if problems else 0


def read(root: Path, names: Sequence[str] = ()) -> list[Mutant]:
    """Return the rows of the named lists, of every list where none is named.

    Raises:
        MutantError: there is none, or one is out of form.
    """
    return [Mutant(**row) for row in lists.read(root, LISTS, names, MEMBERS, ["noticed_by"])]


def judge_all(
    root: Path, mutants: Sequence[Mutant], *, all_lists: bool = True
) -> tuple[list[Verdict], list[str]]:
    """Run every mutant; returns their verdicts and all problems, in lines for people.

    Only with all lists it is a problem that a requirement has no mutant.

    Raises:
        MutantError: the unbroken reference does not pass, so that nothing would be shown.
    """
    requirements = _requirements(root)
    ((outcomes, problem),) = work(root, [None])
    failing = [case for case, outcome in outcomes.items() if outcome in ("failed", "errored")]
    if problem or failing or "passed" not in outcomes.values():
        raise MutantError(f"the unbroken reference fails: {problem or ', '.join(failing)}")
    tell = progress("mutants")
    batches = [mutants[at : at + BATCH] for at in range(0, len(mutants), BATCH)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts: list[Verdict] = []
        for judged in pool.map(lambda batch: judge(root, batch, requirements), batches):
            verdicts += judged
            tell(len(verdicts), len(mutants))
    problems = [
        f"{mutant} {verdict.problem}"
        for mutant, verdict in zip(mutants, verdicts, strict=True)
        if verdict.problem
    ]
    covered = {mutant.requirement for mutant in mutants}
    for name, requirement in requirements.items() if all_lists else ():
        runs = any(outcomes.get(case) == "passed" for case in requirement["cases"])
        if requirement["level"].startswith("MUST") and runs and name not in covered:
            problems.append(f"{name} has cases and no mutant")
    return verdicts, problems


def judge(root: Path, batch: Sequence[Mutant], requirements: Mapping[str, Any]) -> list[Verdict]:
    """Run mutants one after the other, against the citing cases up to the first that fails."""
    return [
        _verdict(
            outcomes, problem if mutant.requirement in requirements else "names no requirement"
        )
        for mutant, (outcomes, problem) in zip(batch, work(root, batch), strict=True)
    ]


def _verdict(outcomes: Mapping[str, str], problem: str | None) -> Verdict:
    killers = [case for case, outcome in outcomes.items() if outcome in ("failed", "errored")]
    if not problem and not killers:
        problem = f"survives {len(outcomes)} cases"
    return Verdict(killers, problem)


def work(root: Path, mutants: Sequence[Mutant | None]) -> list[tuple[dict[str, str], str | None]]:
    """Let a worker run the cases for each mutant, or for the unbroken reference.

    Returns the outcomes of each, and what was wrong with the mutant itself. A case that does not
    end counts as errored.
    """
    tasks: list[dict[str, Any]] = [
        {
            "root": str(root),
            "requirement": mutant and mutant.requirement,
            "edit": mutant and [mutant.at, mutant.find, mutant.replace],
            "noticed_by": mutant and mutant.noticed_by,
            "seconds": SECONDS if mutant else UNBROKEN,
        }
        for mutant in mutants
    ]
    paths = [str(root / SOURCE).removesuffix("/commoncall"), str(ROOT)]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.evidence.adequacy.mutant_worker"],
            input=json.dumps(tasks).encode(),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            capture_output=True,
            timeout=4 * sum(task["seconds"] for task in tasks),
            check=False,
        )
        lines, words = done.stdout, done.stderr.decode(errors="replace").strip()
        fell = f"the worker fell: {words.splitlines()[-1:]}" if done.returncode else None
    except subprocess.TimeoutExpired as error:
        lines, fell = error.stdout or b"", None
    outcomes: list[dict[str, str]] = [{} for _ in tasks]
    problems: list[str | None] = [fell for _ in tasks]
    for line in lines.splitlines():
        said = json.loads(line)
        if "problem" in said:
            problems[said["task"]] = said["problem"]
        else:
            outcomes[said["task"]][said["case"]] = said["outcome"]
    return list(zip(outcomes, problems, strict=True))


def _requirements(root: Path) -> dict[str, Any]:
    file = root / "fixtures" / "v1" / "requirements.json"
    try:
        return {row["id"]: row for row in json.loads(file.read_bytes())["requirements"]}
    except OSError as error:
        raise MutantError(f"cannot read {file}: {error.strerror}") from None


if __name__ == "__main__":
    sys.exit(main())
