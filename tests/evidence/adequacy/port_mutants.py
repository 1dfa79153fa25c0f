"""Wrong readings of the text, as mutants of the Node port; a case has to notice each.

The mutants of the reference show what the cases hold of one program. These show what they hold of
the text: each row of ``tests/evidence/mutants/node/CONTRACT.json`` makes the port read one sentence
as an honest porter could misread it. ``{requirement, reading, file, find, replace, noticed_by}``:
``reading`` says in one sentence what the port takes the text to mean, ``noticed_by`` names the case
that the misread port fails. Where that case does not fail, the others of its contract are asked, up
to the first that does: those of the requirement, then the rest; ``--write`` puts it in the row. A
row with ``equal`` says instead why no input can tell the two apart; it is not run.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from commoncall import protocol
from commoncall.protocol import Declaration, ProtocolError
from commoncall_kit.drive.ask import Ask, CaseError
from commoncall_kit.drive.process import Ended, LineTimeoutError, Process
from commoncall_kit.suite.data import Case, Suite, load
from commoncall_kit.verdict.conformance import run
from commoncall_tools.progress import progress
from tests.evidence.adequacy import lists
from tests.evidence.adequacy.lists import MutantError

ROOT: Final = Path(__file__).resolve().parents[3]
PORT: Final = "reference/javascript"
LISTS: Final = "tests/evidence/mutants/node"
REPORT: Final = "build/port-mutants.json"
MEMBERS: Final = ("requirement", "reading", "file", "find", "replace")
ONE_OF: Final = ("noticed_by", "equal")
"""What else a row says; a new one says neither until ``--write`` has run it."""

BATCH: Final = 100
"""How many mutants one process takes."""

SECONDS: Final = 5
"""How long one answer may take; a mutant that takes longer loops for ever."""

LOADING: Final = 60
"""How many seconds Node may take to start and to load a port."""


@dataclass(frozen=True, slots=True)
class PortMutant:
    """One wrong reading; ``find`` stands once in ``file`` of the port and becomes ``replace``."""

    row: str
    requirement: str
    reading: str
    file: str
    find: str
    replace: str
    noticed_by: str = ""
    equal: str = ""

    def __str__(self) -> str:
        return f"{self.row} ({self.requirement}, {self.file})"


def main(argv: Sequence[str] | None = None) -> int:
    """Run all mutants; the exit status is 0 when each case that a row names notices it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evidence.adequacy.port_mutants",
        description="Misread the text; a case must notice.",
    )
    parser.add_argument("list", nargs="*", help=f"{LISTS}/LIST.json only (default: all)")
    parser.add_argument("--write", action="store_true", help="renew `noticed_by` in the lists")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    options = parser.parse_args(argv)
    root = options.root.resolve()
    try:
        mutants = read(root, options.list)
        killers = judge_all(root, mutants)
    except MutantError as error:
        print(f"port_mutants: {error}", file=sys.stderr)
        return 1
    if options.write:
        mutants = [replace(one, noticed_by=by) for one, by in zip(mutants, killers, strict=True)]
        lists.write(root, map(asdict, mutants), MEMBERS)
    wrong = [
        f"{mutant} is noticed by {killer}; --write says so in the row"
        if killer
        else f"{mutant} survives: {mutant.reading}"
        for mutant, killer in zip(mutants, killers, strict=True)
        if not mutant.equal and (not killer or killer != mutant.noticed_by)
    ]
    for problem in wrong:
        print(f"port_mutants: {problem}", file=sys.stderr)
    equal = sum(bool(mutant.equal) for mutant in mutants)
    killed = len(list(filter(None, killers)))
    print(f"{killed} of {len(mutants) - equal} wrong readings are noticed, {equal} are equal")
    if not options.list:
        rows = [
            {**asdict(mutant), "killed_by": [killer] if killer else []}
            for mutant, killer in zip(mutants, killers, strict=True)
        ]
        (root / REPORT).parent.mkdir(exist_ok=True)
        (root / REPORT).write_text(json.dumps({"mutants": rows}, indent=2) + "\n", "utf-8")
    return 1 if wrong else 0


def read(root: Path, names: Sequence[str] = ()) -> list[PortMutant]:
    """Return the rows of the named lists, of every list where none is named.

    Raises:
        MutantError: there is none, or one is out of form.
    """
    return [PortMutant(**row) for row in lists.read(root, LISTS, names, MEMBERS, ONE_OF)]


def mutated(root: Path, mutant: PortMutant) -> str:
    """Return the source of the misread file.

    Raises:
        MutantError: the row does not apply, or changes nothing.
    """
    path = root / PORT / mutant.file
    if not path.is_file():
        raise MutantError(f"{mutant} names no file of the port")
    source = path.read_text("utf-8")
    times = source.count(mutant.find) if mutant.find else 0
    if times != 1:
        raise MutantError(f"{mutant} does not apply: `find` stands {times} times in the file")
    if mutant.find == mutant.replace:
        raise MutantError(f"{mutant} changes nothing")
    return source.replace(mutant.find, mutant.replace)


def judge_all(root: Path, mutants: Sequence[PortMutant]) -> list[str]:
    """Return for each mutant the case that noticed it, or "".

    Raises:
        MutantError: a mutant does not apply, names no requirement, or is no program; or the
            unbroken port fails one of the cases, so that nothing would be shown.
    """
    suite = load(root)
    for mutant in mutants:
        mutated(root, mutant)
        if mutant.requirement not in suite.requirements:
            raise MutantError(f"{mutant} names no requirement")
    batches = [mutants[at : at + BATCH] for at in range(0, len(mutants), BATCH)]
    named = {mutant.noticed_by for mutant in mutants}
    judge_unbroken(root, suite, named)
    tell = progress("wrong readings")
    killers: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda batch: judge(root, suite, batch), batches):
            killers += found
            tell(len(killers), len(mutants))
    if others := set(killers) - named:
        judge_unbroken(root, suite, others)
    return killers


def judge_unbroken(root: Path, suite: Suite, names: Set[str]) -> None:
    """Hold the port as it is to the cases of these names.

    Raises:
        MutantError: it is no program, or it fails one.
    """
    cases = [case for case in suite.cases if case.id in names]
    with closing(Worker(root / PORT)) as worker:
        try:
            failed = _first_failed(cases, worker.load(), lambda: worker.ask)
        except (CaseError, ProtocolError) as error:
            raise MutantError(f"the unbroken port is no program: {error}") from None
    if failed:
        raise MutantError(f"the unbroken port fails {failed}")


def judge(root: Path, suite: Suite, batch: Sequence[PortMutant]) -> list[str]:
    """Return for each mutant of a batch the first case on which the misread port fails, or "".

    One process takes one after the other; where one does not answer, the next gets a fresh one.
    """
    with closing(Worker(root / PORT)) as worker:
        return ["" if one.equal else _killer(root, suite, one, worker) for one in batch]


def _killer(root: Path, suite: Suite, mutant: PortMutant, worker: "Worker") -> str:
    cases = cases_for(suite, mutant)
    try:
        declaration = worker.load(mutant.file, mutated(root, mutant))
        # Most misreadings show in one answer; a second one and each law ask again.
        plain = [replace(each, laws=()) for each in cases if _is_near(each, mutant)]
        return _first_failed(plain, declaration, lambda: asked_once(worker.ask)) or _first_failed(
            cases, declaration, lambda: worker.ask
        )
    except (CaseError, ProtocolError) as error:
        raise MutantError(f"{mutant} is no program: {error}") from None


def _first_failed(
    cases: Sequence[Case], declaration: Declaration, asking: Callable[[], Ask]
) -> str:
    for case in cases:
        ((result,), _) = run([case], declaration, asking(), 0)
        if result.outcome in ("failed", "errored"):
            return case.id
    return ""


def asked_once(ask: Ask) -> Ask:
    """Return an `Ask` that gives its first answer to every later question."""
    answers: list[Mapping[str, object]] = []

    def once(*question: Any) -> Mapping[str, object]:
        if not answers:
            answers.append(ask(*question))
        return answers[0]

    return once


class Worker:
    """A process of Node that answers for a port, as it is or misread."""

    def __init__(self, port: Path) -> None:
        worker = Path(__file__).with_name("port_worker.mjs")
        self._command = [
            "node",
            "--experimental-vm-modules",
            "--no-warnings",
            str(worker),
            str(port),
        ]
        self._process: Process | None = None

    def load(self, file: str = "", source: str = "") -> Declaration:
        """Load the port, with another source of a file if there is one; return what it declares."""
        message = {"file": file, "source": source} if file else {}
        try:
            answer = self._exchange(message, LOADING)
        except CaseError:
            # The modules of node:vm are experimental: a fresh process says whether it is the port.
            answer = self._exchange(message, LOADING)
        if isinstance(answer, dict) and "problem" in answer:
            raise ProtocolError(answer["problem"])
        return protocol.declaration(answer)

    def ask(
        self, operation: str, value: object, env: Mapping[str, object] | None
    ) -> dict[str, object]:
        """Answer for the port that was loaded last; an `Ask`."""
        request = {"seq": 0, "operation": operation, "input": value}
        answer = self._exchange(request if env is None else {**request, "env": env}, SECONDS)
        try:
            return protocol.answer(answer)
        except ProtocolError as error:
            raise CaseError(str(error)) from None

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _exchange(self, message: Mapping[str, object], seconds: int) -> object:
        if self._process is None:
            self._process = Process(self._command, protocol.MAX_LINE)
        self._process.send(protocol.encode(message))
        try:
            line = self._process.receive(seconds)
        except LineTimeoutError:
            line = Ended.CLOSED
        if isinstance(line, Ended):
            self.close()
            raise CaseError("no answer")
        return protocol.parse(line)


def cases_for(suite: Suite, mutant: PortMutant) -> list[Case]:
    """Return the cases of a contract: the one that a row names first, then those that cite."""
    contract = suite.requirements[mutant.requirement].contract
    cases = [case for case in suite.cases if case.operation.contract == contract]
    return sorted(
        cases, key=lambda case: (case.id != mutant.noticed_by, not _is_near(case, mutant))
    )


def _is_near(case: Case, mutant: PortMutant) -> bool:
    return case.id == mutant.noticed_by or mutant.requirement in case.requirements


if __name__ == "__main__":
    sys.exit(main())
