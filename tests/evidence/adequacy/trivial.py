"""Adapters that do next to nothing, in the right shape. What they satisfy is not tested.

``python -m tests.evidence.adequacy.trivial`` prints how many requirements each satisfies; all
should be 0.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from commoncall.protocol import Declaration
from commoncall_kit.suite.data import Suite, load
from commoncall_kit.verdict.conformance import run
from commoncall_kit.verdict.report import Asked, Report, build

ROOT = Path(__file__).resolve().parents[3]

SAME = {"content": ["text"], "effective": ["registered"], "arguments_json": ["arguments"]}
"""Members of results, and under which other names an input may hold their value."""

Answer = dict[str, Any]
Trivial = Callable[[str, Any], Answer]


def refuse_all(operation: str, data: Any) -> Answer:
    """Refuse every input."""
    return {"error": {"code": "invalid_input"}}


def constant(suite: Suite, *, only_results: bool = False) -> Trivial:
    """Answer each operation with the outcome, or result, that its cases expect most often."""
    expected: dict[str, Counter[str]] = {}
    for case in suite.cases:
        if "result" in case.expect or not only_results:
            expected.setdefault(case.operation.name, Counter())[json.dumps(case.expect)] += 1
    texts = {name: counts.most_common(1)[0][0] for name, counts in expected.items()}
    return lambda operation, data: json.loads(texts[operation])


def echo_call(data: Any) -> Answer | None:
    """Accept a call that has a name and arguments, be they what they may."""
    match data:
        case {"tool_call": {"function": {"name": str(name), "arguments": str() | dict() as given}}}:
            value, text = ({}, given) if isinstance(given, str) else (given, json.dumps(given))
            found = {"valid": True, "name": name, "arguments": value, "arguments_json": text}
            return {"result": {**found, "findings": []}}
    return None


def echo_text(data: Any) -> Answer | None:
    """Find nothing in a text, whole or in chunks."""
    match data:
        case {"text": str(text)}:
            found: Answer = {"content": text, "reasoning": None, "tool_calls": [], "matched": []}
            segments = [{"kind": "text", "text": text}] if text else []
            return {"result": {**found, "repairs": [], "segments": segments}}
        case {"chunks": list(chunks)} if all(isinstance(each, str) for each in chunks):
            whole = echo_text({"text": "".join(chunks)})
            emitted = [[{"text": each}] if each else [] for each in chunks]
            return {"result": {**(whole or {}), "emitted": [*emitted, []]}}
    return None


ECHOES = {
    "payload.check_tool_call": echo_call,
    "extraction.extract": echo_text,
    "extraction.stream": echo_text,
}
"""By operation: what passes more cases than the most frequent result."""


def echo(suite: Suite) -> Trivial:
    """Answer with what came in, judged by nobody, and with the most frequent of all else."""
    otherwise = constant(suite, only_results=True)

    def answer(operation: str, data: Any) -> Answer:
        if operation in ECHOES and (echoed := ECHOES[operation](data)):
            return echoed
        result = otherwise(operation, data)["result"]
        for member in result:
            for value in _values(data, [member, *SAME.get(member, [])]):
                result[member] = value
                break
        return {"result": {**result, "findings": []} if "findings" in result else result}

    return answer


def strip_everything(suite: Suite) -> Trivial:
    """Answer as `echo` does, with everything taken out of it."""
    empty: dict[type, Any] = {list: [], dict: {}, bool: False}
    echoed = echo(suite)

    def answer(operation: str, data: Any) -> Answer:
        result = echoed(operation, data)["result"]
        return {"result": {name: empty.get(type(each), each) for name, each in result.items()}}

    return answer


def adapters(suite: Suite) -> dict[str, Trivial]:
    """Return every trivial adapter by name."""
    return {
        "refuse-all": refuse_all,
        "constant": constant(suite),
        "echo": echo(suite),
        "strip-everything": strip_everything(suite),
    }


def drive(suite: Suite, trivial: Trivial, *, diagnostics: bool = True) -> Report:
    """Run a trivial adapter, which declares everything, through the kit."""
    features = [name for name in suite.features if diagnostics or name != "diagnostics"]
    declaration = Declaration(
        {"name": "trivial", "version": "1", "language": "Python"}, list(suite.operations), features
    )

    def ask(operation: str, data: object, env: Mapping[str, object] | None) -> Answer:
        return trivial(operation, data)

    results, problem = run(suite.cases, declaration, ask, 0)
    return build(Asked(suite, 0), declaration, results, problem)


def satisfied(report: Report) -> list[str]:
    """Return the requirements that a report calls satisfied."""
    return [each.requirement for each in report.requirements if each.verdict == "satisfied"]


def _values(data: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield the values of members with these names, wherever in the input, the outer ones first."""
    nodes = [data]
    for node in nodes:  # it grows
        if isinstance(node, dict):
            yield from (node[name] for name in names if name in node)
        if len(nodes) < 1000:
            inner = node.values() if isinstance(node, dict) else node
            nodes += inner if isinstance(node, (dict, list)) else ()


def main() -> int:
    """Print what each adapter passes and satisfies, with and without diagnostics; the exit status
    is 1 where one satisfies anything.
    """
    suite, wrong = load(), list[str]()
    for name, trivial in adapters(suite).items():
        for diagnostics in (True, False):
            report = drive(suite, trivial, diagnostics=diagnostics)
            found = satisfied(report)
            passed = sum(case.outcome == "passed" for case in report.cases)
            print(
                f"{name:16}  {'with' if diagnostics else 'without':7} diagnostics: {passed} of "
                f"{len(report.cases)} cases, {len(found)} requirements {' '.join(found)}",
                flush=True,
            )
            wrong += found
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
