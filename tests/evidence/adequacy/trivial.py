"""Adapters that do next to nothing, in the right shape. What they satisfy is not tested.

``python -m tests.evidence.adequacy.trivial`` prints how many requirements each satisfies; all
should be 0 but for the exemptions. ``build/trivial.json`` gets the same as data, for the record.
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
from commoncall_kit.verdict.report import Report, Selection, build
from tests.evidence.adequacy.shapes import Shapes
from tools.fixtures.schemas import read_schemas

CHECK = "payload.check_tool_call"
EXTRACT = "extraction.extract"
STREAM = "extraction.stream"
ROOT = Path(__file__).resolve().parents[3]

SAME = {"content": ["text"], "effective": ["registered"], "arguments_json": ["arguments"]}
"""Members of results, and under which other names an input may hold their value."""

LONGEST_TEXT = 80
"""Longer texts of the cases are no paths, codes or digests."""

STRIPPED = ("tools", "tool_choice", "parallel_tool_calls", "functions", "function_call")
"""What a sanitizer that trusts nothing takes out of every request."""

EXEMPT: dict[tuple[str, str], str] = {
    ("echo", "PAY-009"): "it forbids to judge; without diagnostics, whoever judges nothing obeys",
}
"""Adapter and requirement to the reason why doing nothing is right there."""

REPORT = ROOT / "build/trivial.json"
REPORT_FORMAT = 1

Answer = dict[str, Any]
Trivial = Callable[[str, Any, Mapping[str, Any]], Answer]
Wish = Callable[[Shapes, str, Any], dict[str, Any]]


def null(shapes: Shapes, reference: str, data: Any) -> dict[str, Any]:
    """Wish for as little as the shape allows."""
    return dict.fromkeys(_booleans(shapes, reference), False)


def echo(shapes: Shapes, reference: str, data: Any) -> dict[str, Any]:
    """Wish for what came in, judged by nobody."""
    wish = {}
    for member in shapes.members(reference):
        values = _values(data, [member, *SAME.get(member, [])])
        place = f"{reference}/properties/{member}"
        for value in (each for each in values if shapes.fits(place, each)):
            wish[member] = value
            break
    return wish


def accept_all(shapes: Shapes, reference: str, data: Any) -> dict[str, Any]:
    """Wish for everything that can be had, and no finding."""
    full = {
        member: next(filter(None, shapes.choices(f"{reference}/properties/{member}")), None)
        for member in shapes.members(reference)
    }
    yes = dict.fromkeys(_booleans(shapes, reference), True)
    return {**full, **echo(shapes, reference, data), **yes, "findings": []}


def reject_all(shapes: Shapes, reference: str, data: Any) -> dict[str, Any]:
    """Wish for as little as the shape allows, and one finding."""
    wish = null(shapes, reference, data)
    if "findings" in shapes.members(reference):
        found = shapes.choices(f"{reference}/properties/findings")
        wish["findings"] = next(filter(None, found), [])
    return wish


def strip_everything(shapes: Shapes, reference: str, data: Any) -> dict[str, Any]:
    """Wish for what came in, with everything taken out of it."""
    empty: dict[type, Any] = {list: [], dict: {}, bool: False}
    wish = echo(shapes, reference, data)
    emptied = {name: empty.get(type(value), value) for name, value in wish.items()}
    return {**null(shapes, reference, data), **emptied}


def by_schema(shapes: Shapes, wish: Wish) -> Trivial:
    """Answer with the result that comes nearest to a wish; most wishes come again."""
    found: dict[str, dict[str, Any]] = {}

    def answer(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
        reference = _result(operation)
        wished = wish(shapes, reference, data)
        key = json.dumps([reference, wished])
        if key not in found:
            found[key] = shapes.near(reference, wished)
        return {"result": found[key]}

    return answer


def echo_call(data: Any, env: Mapping[str, Any]) -> Answer:
    """Accept a call that has a name and arguments, be they what they may."""
    name, arguments = _call(data)
    if isinstance(name, str) and isinstance(arguments, str):
        return _valid(name, {}, arguments)
    if isinstance(name, str) and isinstance(arguments, dict):
        return _valid(name, arguments, json.dumps(arguments))
    return _invalid(None, {"code": "call_not_object", "path": "/tool_call"})


def accept_call(data: Any, env: Mapping[str, Any]) -> Answer:
    """Accept any call, with its arguments where they can be read."""
    name, arguments = _call(data)
    name = name if isinstance(name, str) else "f"
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        value = json.loads(text, parse_int=float)
    except (ValueError, RecursionError):
        value = None
    return _valid(name, value, text) if isinstance(value, dict) else _valid(name, {}, "{}")


def reject_call(data: Any, env: Mapping[str, Any]) -> Answer:
    """Refuse the arguments of any call."""
    name, arguments = _call(data)
    finding: Answer = {
        "code": "arguments_invalid_json",
        "path": "/tool_call/function/arguments",
    }
    if isinstance(arguments, str):
        finding["bytes"] = len(arguments.encode("utf-8", "surrogatepass"))
    return _invalid(name, finding)


def echo_text(data: Any, env: Mapping[str, Any]) -> Answer:
    """Find nothing in a text."""
    text = _text(data)
    return _extraction(text, segments=[{"kind": "text", "text": text}] if text else [])


def accept_text(data: Any, env: Mapping[str, Any]) -> Answer:
    """Take every text for a call."""
    identifier = next(iter(env.get("ids", ())), "call_1")
    call: Answer = {"id": identifier, "name": "f", "arguments": {}, "arguments_json": "{}"}
    segment = {"kind": "call", "text": _text(data) or "-", "dialect": "tool_call", "calls": 1}
    return _extraction(None, tool_calls=[call], matched=["tool_call"], segments=[segment])


def reject_text(data: Any, env: Mapping[str, Any]) -> Answer:
    """Take every text for a broken block."""
    broken = {"kind": "rejected", "text": _text(data) or "-", "dialect": "tool_call"}
    segments = [{**broken, "codes": ["not_json"]}]
    return _extraction(None, matched=["tool_call"], segments=segments)


def strip_request(data: Any, env: Mapping[str, Any]) -> Answer:
    """Take everything about tools out of a request, whatever the model can do."""
    request = data.get("request") if isinstance(data, dict) else None
    members = request if isinstance(request, dict) else {}
    gone = sorted(name for name in STRIPPED if name in members)
    kept = {name: value for name, value in members.items() if name not in gone}
    findings = [{"code": "capability_unsupported", "path": f"/request/{name}"} for name in gone]
    return {"result": {"request": kept, "aliases": {}, "findings": findings}}


def strip_history(data: Any, env: Mapping[str, Any]) -> Answer:
    """Take every call and every result out of a history."""
    messages = data.get("messages") if isinstance(data, dict) else None
    kept = [
        {name: value for name, value in each.items() if name not in ("tool_calls", *STRIPPED)}
        for each in (messages if isinstance(messages, list) else [])
        if isinstance(each, dict) and each.get("role") != "tool"
    ]
    return {"result": {"messages": kept, "findings": []}}


def strip_text(data: Any, env: Mapping[str, Any]) -> Answer:
    """Cut a text where the first tag begins."""
    text, tag, rest = _text(data).partition("<")
    segments: list[Answer] = [{"kind": "text", "text": text}] if text else []
    if tag:
        broken: Answer = {"kind": "rejected", "text": tag + rest, "dialect": "tool_call"}
        segments.append({**broken, "codes": ["not_json"]})
    return _extraction(text or (None if tag else ""), segments=segments)


STRONGER: dict[str, dict[str, Callable[[Any, Mapping[str, Any]], Answer]]] = {
    "null": {},
    "echo": {CHECK: echo_call, EXTRACT: echo_text},
    "accept-all": {CHECK: accept_call, EXTRACT: accept_text},
    "reject-all": {CHECK: reject_call, EXTRACT: reject_text},
    "strip-everything": {
        CHECK: reject_call,
        EXTRACT: strip_text,
        "payload.sanitize_request": strip_request,
        "payload.sanitize_history": strip_history,
        "payload.flatten_history": strip_history,
    },
}
"""By adapter and operation: what passes more cases than the schema alone lets guess."""


def stronger(shapes: Shapes, name: str, otherwise: Trivial) -> Trivial:
    """Answer as `STRONGER` says where the schema allows that, and a stream as a text."""
    table = STRONGER[name]

    def answer(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
        if operation == STREAM and (chunks := _chunks(data)) is not None:
            whole = answer(EXTRACT, {"text": "".join(chunks)}, env)["result"]
            shown = [[{"text": each}] if each and whole["content"] else [] for each in chunks]
            calls = [{"call": number} for number in range(len(whole["tool_calls"]))]
            return {"result": {"result": whole, "emitted": [*shown, calls]}}
        if operation in table:
            found = table[operation](data, env)
            if shapes.fits(_result(operation), found["result"]):
                return found
        return otherwise(operation, data, env)

    return answer


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


def remembering(trivial: Trivial) -> Trivial:
    """Answer the same question once: to find a shape that fits is slow, and the kit asks again."""
    answers: dict[str, str] = {}

    def answer(operation: str, data: Any, env: Mapping[str, Any]) -> Answer:
        question = json.dumps([operation, data, dict(env)])
        if question not in answers:
            answers[question] = json.dumps(trivial(operation, data, env))
        found: Answer = json.loads(answers[question])
        return found

    return answer


def adapters(suite: Suite) -> dict[str, Trivial]:
    """Return every trivial adapter by name."""
    shapes = Shapes(read_schemas(ROOT), _texts(suite))
    wishes = {
        "null": null,
        "echo": echo,
        "accept-all": accept_all,
        "reject-all": reject_all,
        "strip-everything": strip_everything,
    }
    return {
        **{
            name: remembering(stronger(shapes, name, by_schema(shapes, wish)))
            for name, wish in wishes.items()
        },
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


def _result(operation: str) -> str:
    return f"urn:commoncall:v1:{operation.replace('.', ':')}#/$defs/result"


def _booleans(shapes: Shapes, reference: str) -> list[str]:
    return [
        member
        for member in shapes.members(reference)
        if True in shapes.choices(f"{reference}/properties/{member}")
    ]


def _values(data: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield the values of members with these names, wherever in the input, the outer ones first."""
    nodes = [data]
    for node in nodes:  # it grows
        if isinstance(node, dict):
            yield from (node[name] for name in names if name in node)
        if len(nodes) < 1000:
            inner = node.values() if isinstance(node, dict) else node
            nodes += inner if isinstance(node, (dict, list)) else ()


def _texts(suite: Suite) -> list[str]:
    """Return the short texts that the cases expect: where a schema has a pattern, some fit."""
    nodes: list[Any] = [case.expect for case in suite.cases]
    texts = set()
    for node in nodes:  # it grows
        if isinstance(node, str) and len(node) <= LONGEST_TEXT:
            texts.add(node)
        inner = node.values() if isinstance(node, dict) else node
        nodes += inner if isinstance(node, (dict, list)) else ()
    return sorted(texts, key=lambda text: (len(text), text))


def _chunks(data: Any) -> list[str] | None:
    match data:
        case {"chunks": list(chunks)} if all(isinstance(each, str) for each in chunks):
            return chunks
    return None


def _call(data: Any) -> tuple[Any, Any]:
    match data:
        case {"tool_call": {"function": {**function}}}:
            return function.get("name"), function.get("arguments")
    return None, None


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


def scores(suite: Suite) -> Iterator[dict[str, Any]]:
    """Yield what each adapter passes and satisfies, with and without diagnostics."""
    for name, trivial in adapters(suite).items():
        for diagnostics in (True, False):
            report = drive(suite, trivial, diagnostics=diagnostics)
            yield {
                "adapter": name,
                "diagnostics": diagnostics,
                "passed": sum(case.outcome == "passed" for case in report.cases),
                "cases": len(report.cases),
                "satisfied": satisfied(report),
            }


def main() -> int:
    """Print the scores; the exit status is 1 where `problems` finds one."""
    suite = load()
    rows = []
    for row in scores(suite):
        rows.append(row)
        print(
            f"{row['adapter']:16}  {'with' if row['diagnostics'] else 'without':7} diagnostics: "
            f"{row['passed']} of {row['cases']} cases, {len(row['satisfied'])} requirements "
            f"{' '.join(row['satisfied'])}",
            flush=True,
        )
    exempt = [
        {"adapter": name, "requirement": requirement, "reason": reason}
        for (name, requirement), reason in EXEMPT.items()
    ]
    report = {"format": REPORT_FORMAT, "suite": suite.digest, "scores": rows, "exempt": exempt}
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    wrong = list(problems(rows))
    for problem in wrong:
        print(f"trivial: {problem}", file=sys.stderr)
    return 1 if wrong else 0


def problems(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say which requirements an adapter satisfies and may not, and which exemption is stale."""
    hits = {(row["adapter"], hit) for row in rows for hit in row["satisfied"]}
    yield from (f"{name} satisfies {hit}" for name, hit in sorted(hits - EXEMPT.keys()))
    for name, hit in sorted(EXEMPT.keys() - hits):
        yield f"{name} does not satisfy {hit}: no exemption is needed"


if __name__ == "__main__":
    sys.exit(main())
