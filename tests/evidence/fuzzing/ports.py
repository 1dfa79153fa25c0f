"""Looks for an input to which the reference and other adapters give different answers.

`python -m tests.evidence.fuzzing.ports --seconds 60 -- COMMAND ...` changes the inputs of cases at
random, makes texts as `tests/contracts/extraction` does, and asks all; a command with its arguments
is one word. What differs is a mistake of one of them or a gap in the text: no case says who is
right. It prints the smallest input found, as JSON, with the answers.
"""

import argparse
import copy
import json
import random
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from commoncall import spelled
from commoncall.interface.read import read
from commoncall.interface.table import Interface
from commoncall.json_text import text_depth
from commoncall.payload import ForeignFormError, RequestRefusedError
from commoncall.payload.history import sanitize_history
from commoncall.payload.request import sanitize_request
from commoncall_kit.drive.ask import CaseError, RunError
from commoncall_kit.drive.session import Session
from commoncall_kit.suite import chunking, data
from commoncall_kit.suite.data import Case, Suite
from commoncall_kit.verdict.compare import differences, without
from tests.contracts.extraction.generator import given
from tests.evidence.fuzzing.mutation import at, changed, paths

REFERENCE = [sys.executable, "-m", "commoncall", "adapter"]
SECONDS_PER_CASE = 10.0
SECONDS_TO_SHRINK = 60
LONGEST, DEEPEST = 8_000, 60  # characters and levels of an input that is changed
ENOUGH: Mapping[str, object] = {
    "ids": [f"00000000-0000-4000-8000-{number:012}" for number in range(200)],
    "clock_ms": list(range(0, 4_000, 10)),
}


TAKES_TOOLS = {"tool_calls_supported": True}

GENERATED = ("extraction.extract", "extraction.stream")
"""Operations whose texts are also made anew."""


@dataclass(frozen=True, slots=True)
class Question:
    """An input for an operation, and what that may not make itself."""

    operation: str
    input: object
    env: Mapping[str, object]


class Ports:
    """The adapters, the reference first. What one of them does not have is not asked."""

    def __init__(self, suite: Suite, others: Sequence[Sequence[str]]) -> None:
        self.sessions = [
            Session(command, suite, SECONDS_PER_CASE) for command in (REFERENCE, *others)
        ]
        try:
            declared = [session.start() for session in self.sessions]
        except RunError:
            self.stop()
            raise
        self.features = set.intersection(*(set(one.features) for one in declared))
        self.operations = set.intersection(*(set(one.operations) for one in declared))
        self._hidden = {
            operation.name: () if "diagnostics" in self.features else operation.diagnostics
            for operation in suite.operations.values()
        }

    def stop(self) -> None:
        """End all, whatever they do."""
        for session in self.sessions:
            session.kill()

    def ask(self, question: Question) -> list[object]:
        """Return all answers, as far as they have to be equal."""
        given = [self._answer(session, question) for session in self.sessions]
        hidden = self._hidden[question.operation]
        if question.operation != chunking.OPERATION:
            return [without(answer, hidden) for answer in given]
        # How a text is cut into events is free, but not when it is shown.
        inner: list[object] = [without(chunking.inner(answer), hidden) for answer in given]
        if not _vary(inner) and "result" in given[0]:
            assert isinstance(question.input, Mapping)
            return [chunking.broken(question.input, answer) for answer in given]
        return inner

    def _answer(self, session: Session, question: Question) -> Mapping[str, object]:
        try:
            return session.ask(question.operation, question.input, question.env)
        except CaseError as error:
            return {"broken": str(error)}

    def differ(self, question: Question) -> bool:
        """Tell whether the answers differ."""
        return _vary(self.ask(question))


def _vary(answers: Sequence[object]) -> bool:
    return any(differences(answers[0], other) for other in answers[1:])


def main(argv: list[str] | None = None) -> int:
    """Ask for so many seconds, or so many inputs.

    The status is 1 when a difference was found, and 2 when nobody can be asked.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.evidence.fuzzing.ports")
    parser.add_argument("--seconds", type=int, default=60, help="how long to look")
    parser.add_argument("--inputs", type=int, help="how many to ask, in place of a time")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers begin")
    parser.add_argument("--only", default="", help="how the names of operations begin")
    parser.add_argument("command", nargs="+", help="the other adapters, behind --")
    chosen = parser.parse_args(argv)
    suite = data.load(Path(__file__).parents[3])
    try:
        ports = Ports(suite, [shlex.split(command) for command in chosen.command])
        try:
            return look(ports, suite, chosen)
        finally:
            ports.stop()
    except RunError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 2


def look(ports: Ports, suite: Suite, chosen: argparse.Namespace) -> int:
    """Ask about made inputs, and print the smallest on which the ports differ."""
    cases: dict[str, list[Case]] = {}
    for case in suite.cases:
        if _is_asked(case, ports) and case.operation.name.startswith(chosen.only):
            cases.setdefault(case.operation.name, []).append(case)
    if not cases:
        raise RunError("the adapter declares no operation of this suite")
    chance = random.Random(chosen.seed)
    end = time.monotonic() + chosen.seconds
    runs = 0
    while time.monotonic() < end if chosen.inputs is None else runs < chosen.inputs:
        question = made(chance, cases)
        if _levels(question.input) > DEEPEST:
            continue
        runs += 1
        if ports.differ(question):
            smallest = shrunk(question, ports)
            print(f"fuzz: FOUND {smallest.operation} {spelled.encode(smallest.input)}")
            for answer in ports.ask(smallest):
                print(f"fuzz: answer {json.dumps(answer)}")
            return 1
    print(f"fuzz: {runs} inputs of {len(cases)} operations, all ports agree")
    return 0


def _is_asked(case: Case, ports: Ports) -> bool:
    return (
        case.operation.name in ports.operations
        and case.features <= ports.features
        and not case.without
        and len(json.dumps(case.input)) < LONGEST
        and _levels(case.input) < DEEPEST
    )


def _levels(value: object) -> int:
    return text_depth(json.dumps(value))


def made(chance: random.Random, cases: Mapping[str, Sequence[Case]]) -> Question:
    """Return the changed input of one of the cases, which are given by operation, or a new text."""
    operation = chance.choice(list(cases))
    if operation in GENERATED and chance.random() < 0.8:
        return Question(operation, _generated(chance, operation), ENOUGH)
    case = chance.choice(cases[operation])
    donors = [other.input for other in chance.choices(cases[operation], k=4)]
    env = case.env if case.env and chance.random() < 0.3 else {}
    return _as_taken(Question(operation, changed(chance, case.input, donors), {**ENOUGH, **env}))


def _as_taken(question: Question) -> Question:
    """Return a question as the text lets it be asked: `interface.write` takes for granted that the
    sanitizers let its request out, and that `interface.read` gave what is carried.
    """
    if question.operation == "interface.write_events":
        return Question(question.operation, _countable(question.input), question.env)
    if question.operation != "interface.write" or not isinstance(question.input, dict):
        return question
    given = question.input.get("request")
    if not isinstance(given, dict):
        return question
    messages = given.get("messages")
    try:
        history = sanitize_history(
            messages if isinstance(messages, list) else [], disposition="answer"
        )
        request = {**given, "messages": history["messages"]}
        sent = sanitize_request(request, capability=TAKES_TOOLS)["request"]
    except (ForeignFormError, RequestRefusedError):
        sent = {}
    given = {**question.input, "request": sent}
    interface, carried = given.get("interface"), given.get("carried")
    if interface in get_args(Interface) and isinstance(carried, dict):
        given["carried"] = read(cast(Interface, interface), carried)["carried"]
    return Question(question.operation, given, question.env)


def _countable(value: object) -> object:
    """Return a value without numbers that are no count of tokens: beyond 64 bits the ports differ
    in how they add them, and nobody counts so far.
    """
    if isinstance(value, dict):
        return {name: _countable(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_countable(one) for one in value]
    return min(value, 1e15) if isinstance(value, float) else value


def _generated(chance: random.Random, operation: str) -> dict[str, object]:
    made = given(chance.randrange, pieces=16)
    # Not every port has lone surrogates.
    text = made.pop("text").encode("utf-8", "ignore").decode()
    if operation == "extraction.extract":
        return {**made, "text": text}
    size = chance.choice([1, 2, 3, 7, 20])
    return {**made, "chunks": chunking.cut(text, size) or [""]}


def shrunk(question: Question, ports: Ports) -> Question:
    """Return the question without the parts of its input that the difference does not need."""
    end = time.monotonic() + SECONDS_TO_SHRINK
    again = True
    while again and time.monotonic() < end:
        again = False
        size = len(json.dumps(question.input))
        for smaller in map(_as_taken, _smaller(question)):
            if len(json.dumps(smaller.input)) < size and ports.differ(smaller):
                question, again = smaller, True
                break
    return question


def _smaller(question: Question) -> Iterator[Question]:
    """Give the question without one part of its input each, long ones first. A stream that ends as
    its whole text does is asked as that, which takes a hundredth.
    """
    match question:
        case Question(chunking.OPERATION, {"chunks": [*chunks], **rest}) if all(
            isinstance(chunk, str) for chunk in chunks
        ):
            whole = {**rest, "text": "".join(map(str, chunks))}
            yield Question("extraction.extract", whole, question.env)
    for path in list(paths([question.input]))[2:]:
        holder = [copy.deepcopy(question.input)]
        parent, key = at(holder, path[:-1]), path[-1]
        text = parent[key]
        del parent[key]
        yield Question(question.operation, holder[0], question.env)
        if not isinstance(text, str):
            continue
        for size in (len(text) // 2, len(text) // 4, len(text) // 8, 2, 1):
            for start in range(0, len(text), size) if size else ():
                holder = [copy.deepcopy(question.input)]
                at(holder, path[:-1])[path[-1]] = text[:start] + text[start + size :]
                yield Question(question.operation, holder[0], question.env)


if __name__ == "__main__":
    sys.exit(main())
