"""Looks for an input to which the reference and another adapter give different answers.

`python -m tests.evidence.fuzzing.two_ports --seconds 60 -- COMMAND` changes the inputs of cases at
random and asks both. What differs is a mistake of one of them or a gap in the text: no case says
who is right. It prints the smallest input found, as JSON, with both answers.
"""

import argparse
import copy
import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from commoncall import spelled
from commoncall.json_text import text_depth
from commoncall_kit.drive.ask import CaseError, RunError
from commoncall_kit.drive.session import Session
from commoncall_kit.suite import chunking, data
from commoncall_kit.suite.data import Case, Suite
from commoncall_kit.verdict.compare import differences, without
from tests.evidence.fuzzing.mutation import at, changed, paths

REFERENCE = [sys.executable, "-m", "commoncall", "adapter"]
SECONDS_PER_CASE = 10.0
LONGEST, DEEPEST = 8_000, 60  # characters and levels of an input that is changed
ENOUGH: Mapping[str, object] = {
    "ids": [f"00000000-0000-4000-8000-{number:012}" for number in range(200)],
    "clock_ms": list(range(0, 4_000, 10)),
}


@dataclass(frozen=True, slots=True)
class Question:
    """An input for an operation, and what that may not make itself."""

    operation: str
    input: object
    env: Mapping[str, object]


class Two:
    """The two adapters. They share features; what only one of them has is not asked."""

    def __init__(self, suite: Suite, other: Sequence[str]) -> None:
        self.sessions = [
            Session(command, suite, SECONDS_PER_CASE) for command in (REFERENCE, other)
        ]
        try:
            one, two = (session.start() for session in self.sessions)
        except RunError:
            self.stop()
            raise
        self.features = set(one.features) & set(two.features)
        self.operations = set(one.operations) & set(two.operations)
        self._hidden = {
            operation.name: () if "diagnostics" in self.features else operation.diagnostics
            for operation in suite.operations.values()
        }

    def stop(self) -> None:
        """End both, whatever they do."""
        for session in self.sessions:
            session.kill()

    def ask(self, question: Question) -> list[object]:
        """Return both answers, as far as they have to be equal."""
        given = [self._answer(session, question) for session in self.sessions]
        hidden = self._hidden[question.operation]
        if question.operation != chunking.OPERATION:
            return [without(answer, hidden) for answer in given]
        # How a text is cut into events is free, but not when it is shown.
        one, other = (without(chunking.inner(answer), hidden) for answer in given)
        if not differences(one, other) and "result" in given[0]:
            assert isinstance(question.input, Mapping)
            late = [chunking.broken(question.input, answer) for answer in given]
            return [{"late": one, "coming": coming(a)} for one, a in zip(late, given, strict=True)]
        return [one, other]

    def _answer(self, session: Session, question: Question) -> Mapping[str, object]:
        try:
            return session.ask(question.operation, question.input, question.env)
        except CaseError as error:
            return {"broken": str(error)}

    def differ(self, question: Question) -> bool:
        """Tell whether the answers differ."""
        one, other = self.ask(question)
        return bool(differences(one, other))


def coming(answer: Mapping[str, object]) -> list[list[object]]:
    """Return the candidates that each chunk showed: they follow from the chunks (EXT-193)."""
    stream = cast(Mapping[str, Any], answer["result"])
    return [[event for event in events if "candidate" in event] for events in stream["emitted"]]


def main(argv: list[str] | None = None) -> int:
    """Ask for so many seconds, or so many inputs.

    The status is 1 when a difference was found, and 2 when nobody can be asked.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.evidence.fuzzing.two_ports")
    parser.add_argument("--seconds", type=int, default=60, help="how long to look")
    parser.add_argument("--inputs", type=int, help="how many to ask, in place of a time")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers begin")
    parser.add_argument("command", nargs="+", help="the other adapter, behind --")
    chosen = parser.parse_args(argv)
    suite = data.load(Path(__file__).parents[3])
    try:
        two = Two(suite, chosen.command)
        try:
            return look(two, suite, chosen.seconds, chosen.seed, chosen.inputs)
        finally:
            two.stop()
    except RunError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 2


def look(two: Two, suite: Suite, seconds: int, seed: int, inputs: int | None = None) -> int:
    """Ask about changed inputs, and print the smallest on which the two differ."""
    cases: dict[str, list[Case]] = {}
    for case in suite.cases:
        if _is_asked(case, two):
            cases.setdefault(case.operation.name, []).append(case)
    if not cases:
        raise RunError("the adapter declares no operation of this suite")
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    runs = 0
    while time.monotonic() < end if inputs is None else runs < inputs:
        question = made(chance, cases)
        if _levels(question.input) > DEEPEST:
            continue
        runs += 1
        if two.differ(question):
            smallest = shrunk(question, two)
            print(f"fuzz: FOUND {smallest.operation} {spelled.encode(smallest.input)}")
            for answer in two.ask(smallest):
                print(f"fuzz: answer {json.dumps(answer)}")
            return 1
    print(f"fuzz: {runs} changed inputs of {len(cases)} operations, both ports agree")
    return 0


def _is_asked(case: Case, two: Two) -> bool:
    return (
        case.operation.name in two.operations
        and case.features <= two.features
        and not case.without
        and len(json.dumps(case.input)) < LONGEST
        and _levels(case.input) < DEEPEST
    )


def _levels(value: object) -> int:
    return text_depth(json.dumps(value))


def made(chance: random.Random, cases: Mapping[str, Sequence[Case]]) -> Question:
    """Return the changed input of one of the cases, which are given by operation."""
    operation = chance.choice(list(cases))
    case = chance.choice(cases[operation])
    donors = [other.input for other in chance.choices(cases[operation], k=4)]
    env = case.env if case.env and chance.random() < 0.3 else {}
    return Question(operation, changed(chance, case.input, donors), {**ENOUGH, **env})


def shrunk(question: Question, two: Two) -> Question:
    """Return the question without the parts of its input that the difference does not need."""
    again = True
    while again:
        again = False
        for path in list(paths([question.input]))[2:]:
            holder = [copy.deepcopy(question.input)]
            try:
                del at(holder, path[:-1])[path[-1]]
            except (LookupError, TypeError):
                continue  # something around it has gone
            smaller = Question(question.operation, holder[0], question.env)
            if two.differ(smaller):
                question, again = smaller, True
    return question


if __name__ == "__main__":
    sys.exit(main())
