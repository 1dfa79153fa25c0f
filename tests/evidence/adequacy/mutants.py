"""Are the cases adequate? A program is broken on purpose, and a case has to notice each time.

Each row breaks one place: ``{requirement, file, find, replace, noticed_by}``. ``find`` is what
stands once in ``file``, ``replace`` what comes there.

Mutants of the reference, ``tests/evidence/mutants/LIST.json``, show what the cases hold of a
program.

Wrong readings of the ports, ``tests/evidence/mutants/node`` and ``rust``, show what they hold of
the text: each makes a port read one sentence as an honest porter could misread it. ``reading`` says
in one sentence what the port takes the text to mean. A row with ``equal`` says instead why no input
can tell the two apart; it is not run.

``noticed_by`` names the case that is asked first. Where it does not fail, the others are asked, up
to the first that does; ``--write`` puts that in the row. A mutant of the reference is noticed by a
case that cites its requirement, a wrong reading by any case of its contract.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from commoncall import protocol
from commoncall.protocol import Declaration, ProtocolError
from commoncall_kit.drive.ask import Ask, CaseError
from commoncall_kit.drive.process import Ended, LineTimeoutError, Process
from commoncall_kit.drive.session import read_answer, read_declaration
from commoncall_kit.suite.data import Case, Suite, load
from commoncall_kit.verdict.conformance import run
from commoncall_tools.progress import progress
from tests.evidence.adequacy import lists
from tests.evidence.adequacy.lists import Mutant, MutantError
from tests.evidence.adequacy.programs import PROGRAMS, Program

ROOT: Final = Path(__file__).resolve().parents[3]

BATCH: Final = 100
"""How many mutants one process takes."""

SECONDS: Final = 5
"""How long one answer may take; a mutant that takes longer loops for ever."""

LOADING: Final = 60
"""How many seconds a program may take to start and to load."""


Broken = tuple[Mutant, Mapping[str, Any]]
"""A mutant, and what the worker is told of it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run all mutants; the exit status is 0 when each is noticed by the case that its row names."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evidence.adequacy.mutants",
        description="Break a program; a case must notice.",
    )
    parser.add_argument("program", choices=PROGRAMS, help="what is broken")
    parser.add_argument("list", nargs="*", help="these lists only (default: all)")
    parser.add_argument("--write", action="store_true", help="renew `noticed_by` in the lists")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    options = parser.parse_args(argv)
    root = options.root.resolve()
    program = PROGRAMS[options.program](root)
    try:
        mutants = read(root, type(program), options.list)
        killers = judge_all(root, program, mutants)
    except MutantError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 1
    if options.write:
        mutants = [replace(one, noticed_by=by) for one, by in zip(mutants, killers, strict=True)]
        lists.write(root, mutants, program.MEMBERS)
    wrong = [
        f"{mutant} is noticed by {killer}; --write says so in the row"
        if killer
        else f"{mutant} survives{f': {mutant.reading}' if mutant.reading else ''}"
        for mutant, killer in zip(mutants, killers, strict=True)
        if not mutant.equal and (not killer or killer != mutant.noticed_by)
    ]
    for problem in wrong:
        print(f"mutants: {problem}", file=sys.stderr)
    equal = sum(bool(mutant.equal) for mutant in mutants)
    killed = len(list(filter(None, killers)))
    print(f"{killed} of {len(mutants) - equal} mutants are noticed, {equal} are equal")
    return 1 if wrong else 0


def read(root: Path, program: type[Program], names: Sequence[str] = ()) -> list[Mutant]:
    """Return the rows of the named lists, of every list where none is named.

    Raises:
        MutantError: there is none, or one is out of form.
    """
    return [*lists.read(root, program.LISTS, names, program.MEMBERS, program.ONE_OF)]


def judge_all(root: Path, program: Program, mutants: Sequence[Mutant]) -> list[str]:
    """Return for each mutant the case that noticed it, or "".

    Raises:
        MutantError: a mutant does not apply, changes nothing, names no requirement, or is no
            program; or the unbroken program fails one of the cases, so that nothing would be shown.
    """
    suite = load(root)
    for mutant in mutants:
        if mutant.find == mutant.replace:
            raise MutantError(f"{mutant} changes nothing")
        if mutant.requirement not in suite.requirements:
            raise MutantError(f"{mutant} names no requirement")
    program.prepare(mutants)
    broken = [(mutant, program.broken(mutant)) for mutant in mutants]
    batches = [broken[at : at + BATCH] for at in range(0, len(broken), BATCH)]
    named = {mutant.noticed_by for mutant in mutants}
    judge_unbroken(program, suite, named)
    tell = progress("mutants")
    killers: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda batch: judge(program, suite, batch), batches):
            killers += found
            tell(len(killers), len(mutants))
    if others := set(killers) - named:
        judge_unbroken(program, suite, others)
    return killers


def judge_unbroken(program: Program, suite: Suite, names: Set[str]) -> None:
    """Hold a program as it is to the cases of these names.

    Raises:
        MutantError: it is none, or it fails one.
    """
    cases = [case for case in suite.cases if case.id in names]
    with closing(Worker(program.command)) as worker:
        try:
            failed = _first_failed(cases, worker.load(program.whole), lambda: worker.ask)
        except (CaseError, ProtocolError) as error:
            raise MutantError(f"what nobody broke is no program: {error}") from None
    if failed:
        raise MutantError(f"what nobody broke fails {failed}")


def judge(program: Program, suite: Suite, batch: Sequence[Broken]) -> list[str]:
    """Return for each mutant of a batch the first case on which the program fails, or "".

    One process takes one after the other; where one does not answer, the next gets a fresh one.
    """
    with closing(Worker(program.command)) as worker:
        return [
            "" if one.equal else _killer(program, suite, one, told, worker) for one, told in batch
        ]


def _killer(
    program: Program, suite: Suite, mutant: Mutant, told: Mapping[str, Any], worker: "Worker"
) -> str:
    try:
        declaration = worker.load(told)
        # Most mutants show in one answer; a second one and each law ask again.
        plain = (
            replace(each, laws=())
            for each in nearest(program, suite, mutant)
            if _is_near(each, mutant)
        )
        return _first_failed(plain, declaration, lambda: asked_once(worker.ask)) or _first_failed(
            nearest(program, suite, mutant), declaration, lambda: worker.ask
        )
    except (CaseError, ProtocolError) as error:
        raise MutantError(f"{mutant} is no program: {error}") from None


def _first_failed(
    cases: Iterable[Case], declaration: Declaration, asking: Callable[[], Ask]
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
    """A process that answers for a program, as it is or broken."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = [*command]
        self._arguments: list[str] = []
        self._process: Process | None = None

    def load(self, broken: Mapping[str, Any]) -> Declaration:
        """Load the program as it is told; return what it declares."""
        message = {name: one for name, one in broken.items() if name != "argument"}
        if "argument" in broken:  # a process of its own
            self.close()
            self._arguments = [broken["argument"]]
        try:
            answer = self._exchange(message, LOADING)
        except CaseError:
            # The modules of node:vm are experimental: a fresh process says whether it is the port.
            answer = self._exchange(message, LOADING)
        if isinstance(answer, dict) and "problem" in answer:
            raise ProtocolError(answer["problem"])
        return read_declaration(answer)

    def ask(
        self, operation: str, value: object, env: Mapping[str, object] | None
    ) -> dict[str, object]:
        """Answer for the program that was loaded last; an `Ask`."""
        request = {"cmd": "run", "seq": 1, "operation": operation, "input": value}
        answer = self._exchange(request if env is None else {**request, "env": env}, SECONDS)
        try:
            return read_answer(answer)
        except ProtocolError as error:
            raise CaseError(str(error)) from None

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _exchange(self, message: Mapping[str, object], seconds: int) -> object:
        if self._process is None:
            self._process = Process([*self._command, *self._arguments], protocol.MAX_LINE)
        self._process.send(protocol.encode(message))
        try:
            line = self._process.receive(seconds)
        except LineTimeoutError:
            line = Ended.CLOSED
        if isinstance(line, Ended):
            self.close()
            raise CaseError("no answer")
        return protocol.parse(line)


def nearest(program: Program, suite: Suite, mutant: Mutant) -> Iterator[Case]:
    """Give the cases that may notice a mutant: the one that its row names, then those that cite its
    requirement. Nearly always the first is all that is taken.
    """
    named = (case for case in suite.cases if case.id == mutant.noticed_by)
    yield from (case for case in named if program.may_notice(case, mutant, suite))
    others = (case for case in suite.cases if case.id != mutant.noticed_by)
    asked = (case for case in others if program.may_notice(case, mutant, suite))
    yield from sorted(asked, key=lambda case: not _is_near(case, mutant))


def _is_near(case: Case, mutant: Mutant) -> bool:
    return case.id == mutant.noticed_by or mutant.requirement in case.requirements


if __name__ == "__main__":
    sys.exit(main())
