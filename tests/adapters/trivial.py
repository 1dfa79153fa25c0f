"""Adapters that do next to nothing, in the right shape. What satisfies them is not tested.

``python -m tests.adapters.trivial`` prints how many requirements each satisfies; all should be 0.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from commoncall.kit.conformance import run
from commoncall.kit.data import Suite, load
from commoncall.kit.protocol import Declaration
from commoncall.kit.report import Report, Selection, build
from tests.adapters import trivial_capability, trivial_event, trivial_history, trivial_turn

CHECK = "payload.check_tool_call"
REQUEST = "payload.sanitize_request"
EXTRACT = "extraction.extract"
STREAM = "extraction.stream"

Answer = dict[str, Any]
Trivial = Callable[[str, Any, Mapping[str, Any]], Answer]


def null(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
    """Answer with as little as the shape allows."""
    if operation in trivial_event.OPERATIONS:
        return trivial_event.null(operation, data)
    if operation in trivial_history.OPERATIONS:
        return trivial_history.null()
    if operation in trivial_turn.OPERATIONS:
        return trivial_turn.null(operation, data)
    if operation == REQUEST:
        return _sanitized(None, {"code": "payload_not_object", "path": "/request"})
    if operation == CHECK:
        return _invalid(None, {"code": "call_not_object", "path": "/tool_call"})
    if operation == EXTRACT:
        return _extraction(None)
    if operation == STREAM:
        return refuse_all(operation, data, env)
    return trivial_capability.null(operation, data)


def echo(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
    """Answer with what came in, judged by nobody."""
    if operation in trivial_event.OPERATIONS:
        return trivial_event.echo(operation, data)
    if operation in trivial_history.OPERATIONS:
        return trivial_history.echo(operation, data)
    if operation in trivial_turn.OPERATIONS:
        return trivial_turn.echo(operation, data)
    if operation == REQUEST:
        return _sanitized(_request(data))
    if operation == CHECK:
        name, arguments = _call(data)
        if isinstance(name, str) and isinstance(arguments, str):
            return _valid(name, {}, arguments)
        if isinstance(name, str) and isinstance(arguments, dict):
            return _valid(name, arguments, json.dumps(arguments))
        return null(operation, data, env)
    if operation == EXTRACT:
        text = _text(data)
        return _extraction(text, segments=[{"kind": "text", "text": text}] if text else [])
    if operation == STREAM:
        return refuse_all(operation, data, env)
    return trivial_capability.echo(operation, data)


def accept_all(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
    """Find everything in order; every text is a call."""
    if operation in trivial_event.OPERATIONS:
        return trivial_event.accept_all(operation, data)
    if operation in trivial_history.OPERATIONS:
        return trivial_history.echo(operation, data)
    if operation in trivial_turn.OPERATIONS:
        return trivial_turn.accept_all(operation, data)
    if operation == REQUEST:
        return _sanitized({"tool_choice": "auto"})
    if operation == CHECK:
        name, arguments = _call(data)
        name = name if isinstance(name, str) else "f"
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        try:
            value = json.loads(text, parse_int=float)
        except (ValueError, RecursionError):
            value = None
        return _valid(name, value, text) if isinstance(value, dict) else _valid(name, {}, "{}")
    if operation == EXTRACT:
        identifier = next(iter(env.get("ids", ())), "call_1")
        call: Answer = {"id": identifier, "name": "f", "arguments": {}, "arguments_json": "{}"}
        segment = {"kind": "call", "text": _text(data) or "-", "dialect": "tool_call", "calls": 1}
        return _extraction(None, tool_calls=[call], matched=["tool_call"], segments=[segment])
    if operation == STREAM:
        return refuse_all(operation, data, env)
    return trivial_capability.accept_all(operation, data)


def reject_all(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
    """Find nothing in order; every text is a broken block."""
    if operation in trivial_event.OPERATIONS:
        return trivial_event.reject_all(operation, data)
    if operation in trivial_history.OPERATIONS:
        return trivial_history.reject_all(data)
    if operation in trivial_turn.OPERATIONS:
        return trivial_turn.reject_all(operation, data)
    if operation == REQUEST:
        return _sanitized({}, {"code": "capability_unsupported", "path": "/request/tools"})
    if operation == CHECK:
        name, arguments = _call(data)
        finding = {"code": "arguments_invalid_json", "path": "/tool_call/function/arguments"}
        if isinstance(arguments, str):
            size = len(arguments.encode("utf-8", "surrogatepass"))
            return _invalid(name, {**finding, "bytes": size})
        return _invalid(name, finding)
    if operation == EXTRACT:
        broken = {"kind": "rejected", "text": _text(data) or "-", "dialect": "tool_call"}
        segments = [{**broken, "codes": ["not_json"]}]
        return _extraction(None, matched=["tool_call"], segments=segments)
    if operation == STREAM:
        return refuse_all(operation, data, env)
    return trivial_capability.reject_all(operation, data)


def refuse_all(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
    """Refuse every input."""
    return {"error": {"code": "invalid_input"}}


def constant(suite: Suite) -> Trivial:
    """Answer each operation with the outcome that its cases expect most often."""
    expected: dict[str, Counter[str]] = {}
    for case in suite.cases:
        expected.setdefault(case.operation.name, Counter())[json.dumps(case.expect)] += 1
    answers = {name: json.loads(counts.most_common(1)[0][0]) for name, counts in expected.items()}
    return lambda operation, data, env: answers[operation]


def adapters(suite: Suite) -> dict[str, Trivial]:
    """Return every trivial adapter by name."""
    return {
        "null": null,
        "echo": echo,
        "accept-all": accept_all,
        "reject-all": reject_all,
        "refuse-all": refuse_all,
        "constant": constant(suite),
    }


def drive(suite: Suite, trivial: Trivial, *, diagnostics: bool = True) -> Report:
    """Run a trivial adapter, which declares everything, through the kit."""
    features = [name for name in suite.features if diagnostics or name != "diagnostics"]
    declaration = Declaration(
        {"name": "trivial", "version": "1", "language": "Python"}, list(suite.operations), features
    )

    def ask(operation: str, data: object, env: Mapping[str, object] | None) -> Answer:
        return trivial(operation, data, env or {})

    results, problem = run(suite.cases, declaration, ask, 0)
    return build(suite, declaration, results, seed=0, selection=Selection(), problem=problem)


def satisfied(report: Report) -> list[str]:
    """Return the requirements that a report calls satisfied."""
    return [each.requirement for each in report.requirements if each.verdict == "satisfied"]


def _call(data: Any) -> tuple[Any, Any]:
    match data:
        case {"tool_call": {"function": {**function}}}:
            return function.get("name"), function.get("arguments")
    return None, None


def _request(data: Any) -> Any:
    return data.get("request") if isinstance(data, dict) else None


def _sanitized(request: object, *findings: object) -> Answer:
    return {"result": {"request": request, "aliases": {}, "findings": list(findings)}}


def _text(data: Any) -> str:
    match data:
        case {"text": str(text)}:
            return text
    return ""


def _valid(name: str, arguments: object, text: str) -> Answer:
    found = {"valid": True, "name": name, "arguments": arguments, "arguments_json": text}
    return {"result": {**found, "findings": []}}


def _invalid(name: object, finding: object) -> Answer:
    name = name if isinstance(name, str) else None
    found = {"valid": False, "name": name, "arguments": None, "arguments_json": None}
    return {"result": {**found, "findings": [finding]}}


def _extraction(content: str | None, **members: object) -> Answer:
    found: Answer = {"content": content, "reasoning": None, "tool_calls": []}
    return {"result": {**found, "matched": [], "repairs": [], "segments": [], **members}}


def main() -> None:
    """Print the scores."""
    suite = load()
    for name, trivial in adapters(suite).items():
        for diagnostics in (True, False):
            report = drive(suite, trivial, diagnostics=diagnostics)
            passed = sum(case.outcome == "passed" for case in report.cases)
            hits = satisfied(report)
            print(
                f"{name:10}  {'with' if diagnostics else 'without':7} diagnostics: "
                f"{passed} of {len(report.cases)} cases, {len(hits)} requirements {' '.join(hits)}"
            )


if __name__ == "__main__":
    main()
