"""The authored evidence: reads the suites below ``fixtures/src/v1`` and says what is wrong.

Three filters, in this order: the strict loader, the JSON Schema of the format, and the rules that a
schema cannot say. These stand here, and look at other files: paths, the manifest, the text, the
codes, and the schemas of the operations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, NotRequired, TypedDict, cast

from commoncall.envelope import too_deep
from commoncall.json_text import holds_lone_surrogate, text_depth
from commoncall.kit.drive import protocol
from tools import spec_text, strict_yaml
from tools.schemas import Schemas, read_schemas
from tools.spec_text import Spec

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path("fixtures/src/v1")
MANIFEST = SOURCE / "manifest.yaml"
MAX_DEPTH = 48
"""How deep data in a case may nest: a harness wraps it, and some parsers stop at 64."""

MAX_TEXT_DEPTH = protocol.MAX_DEPTH - 1
"""How deep an ``input_json`` may nest: it stands in a message of the harness."""

SUITE_SCHEMA = "urn:commoncall:v1:formats:suite"
MANIFEST_SCHEMA = "urn:commoncall:v1:formats:manifest"
_BANNED_IN_TITLES = re.compile(r"\b(?:should|must|tests?|tested|testing)\b", re.IGNORECASE)


class Expectation(TypedDict, total=False):
    """Exactly one of ``result`` and ``error``."""

    result: dict[str, object]
    error: dict[str, str]


class Case(TypedDict):
    """One case, as ``suite.schema.json`` describes it."""

    id: str
    title: str
    requirements: list[str]
    since: str
    changes: NotRequired[list[str]]
    features: NotRequired[list[str]]
    without: NotRequired[list[str]]
    risk: str
    origin: dict[str, str]
    laws: NotRequired[list[str]]
    env: NotRequired[dict[str, list[object]]]
    input: NotRequired[object]
    input_json: NotRequired[str]
    expect: Expectation
    notes: NotRequired[str]


class Withdrawn(TypedDict):
    """A case that is no more, as ``suite.schema.json`` describes it."""

    id: str
    since: str
    reason: str
    replaced_by: NotRequired[list[str]]


class Suite(TypedDict):
    """One file of cases, as ``suite.schema.json`` describes it."""

    format: Literal[1]
    suite: str
    operation: str
    notes: NotRequired[str]
    cases: list[Case]
    withdrawn: NotRequired[list[Withdrawn]]


class Operation(TypedDict):
    """One operation of the manifest."""

    operation: str
    contract: str
    feature: str
    diagnostics: list[str]


class Feature(TypedDict):
    """One feature of the manifest."""

    feature: str
    meaning: str


class Manifest(TypedDict):
    """The manifest as it is authored."""

    operations: list[Operation]
    features: list[Feature]


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse: the file, the case or the line where there is one, and why."""

    file: str
    case: str
    reason: str

    def __str__(self) -> str:
        return ":".join(part for part in (self.file, self.case) if part) + f": {self.reason}"


@dataclass(frozen=True, slots=True)
class Context:
    """What suites are judged against."""

    manifest: Manifest
    schemas: Schemas
    spec: Spec


@dataclass(frozen=True, slots=True)
class Tree:
    """The evidence of one checkout: suites by name, only those without a problem of their own."""

    context: Context
    suites: Mapping[str, Suite]
    problems: Sequence[Problem]

    def cases(self) -> Iterator[tuple[str, Case]]:
        """Give each case, behind its operation."""
        for suite in self.suites.values():
            for case in suite["cases"]:
                yield suite["operation"], case


def read_tree(root: Path) -> Tree:
    """Read and judge the manifest and all suites below ``root``; problems are collected."""
    context, problems = read_context(root)
    suites: dict[str, Suite] = {}
    # Without a manifest every case would be wrong, and the one true reason lost among them.
    paths = sorted((root / SOURCE).rglob("*")) if context.manifest["operations"] else []
    for path in paths:
        if path.is_dir() or path.name.startswith(".") or path == root / MANIFEST:
            continue
        suite, found = read_suite(path, root, root / SOURCE, context)
        problems += found
        if suite is not None:
            suites[suite["suite"]] = suite
    problems += clashes((f"{SOURCE.as_posix()}/{name}.yaml", suites[name]) for name in suites)
    if not suites and not problems:
        problems.append(Problem(SOURCE.as_posix(), "", "there is no suite"))
    return Tree(context, suites, problems)


def read_context(root: Path) -> tuple[Context, list[Problem]]:
    """Read what suites are judged against below ``root``, and find its problems.

    The faults of the text stay in ``Spec.problems``. Where a schema is wrong, or the manifest out
    of form, the manifest of the context is empty.
    """
    schemas = read_schemas(root)
    problems = [Problem(file, "", reason) for file, reason in schemas.problems]
    problems += [
        Problem("schemas", "", f"no schema has the $id {identifier}")
        for identifier in (SUITE_SCHEMA, MANIFEST_SCHEMA)
        if identifier not in schemas.documents
    ]
    manifest: Manifest = {"operations": [], "features": []}
    if not problems:
        manifest, reasons = _read_manifest(root, schemas)
        problems += [Problem(MANIFEST.as_posix(), "", reason) for reason in reasons]
    return Context(manifest, schemas, spec_text.read_spec(root)), problems


def read_suite(
    path: Path, root: Path, source: Path, context: Context
) -> tuple[Suite | None, list[Problem]]:
    """Read and judge one file.

    Args:
        path: the file.
        root: problems name the file relative to this folder.
        source: the suite's name is the file's path relative to this folder.
        context: what it is judged against.

    Returns:
        The suite, or None where there are problems; and these.
    """
    file = path.relative_to(root).as_posix()
    if path.suffix != ".yaml":
        return None, [Problem(file, "", "the file of a suite is named .yaml")]
    try:
        data = strict_yaml.load_file(path, file)
    except strict_yaml.StrictYamlError as error:
        return None, [Problem(file, str(error.line), error.reason)]
    problems = [
        Problem(file, *_place(data, pointer, message))
        for pointer, message in context.schemas.errors(SUITE_SCHEMA, data)
    ]
    if problems:
        return None, problems
    suite = cast(Suite, data)
    name = path.relative_to(source).with_suffix("").as_posix()
    problems = [Problem(file, case, reason) for case, reason in _judge_suite(suite, name, context)]
    return (None if problems else suite), problems


def clashes(suites: Iterable[tuple[str, Suite]]) -> list[Problem]:
    """Find ids that stand twice or lead nowhere, and titles that stand twice for one operation.

    Args:
        suites: pairs of a file, for the problems, and its suite.
    """
    suites = list(suites)
    problems: list[Problem] = []
    files: dict[str, str] = {}
    titles: dict[tuple[str, str], str] = {}
    for file, suite in suites:
        for case in suite["cases"]:
            name, title = case["id"], (suite["operation"], case["title"])
            if name in files:
                problems.append(Problem(file, name, f"the id stands in {files[name]} already"))
            elif title in titles:
                problems.append(Problem(file, name, f"{titles[title]} has the same title"))
            files.setdefault(name, file)
            titles.setdefault(title, name)
    for file, suite in suites:
        for gone in suite.get("withdrawn", []):
            if gone["id"] in files:
                problems.append(Problem(file, gone["id"], "withdrawn, and a case has the id"))
            problems += [
                Problem(file, gone["id"], f"replaced by {name}, which is no case")
                for name in gone.get("replaced_by", [])
                if name not in files
            ]
    return problems


def case_input(case: Case) -> object:
    """Return the input of a case, also where it is given as a text.

    Raises:
        ValueError: ``input_json`` is no JSON text.
    """
    if "input_json" in case:
        value: object = json.loads(case["input_json"], parse_constant=_no_constant)
        return value
    return case["input"]


def expected_codes(case: Case) -> set[tuple[str, str]]:
    """Return the codes that a case expects, each with its kind: see ``spec_text.KINDS``."""
    expect = case["expect"]
    if "error" in expect:
        return {("errors", expect["error"]["code"])}
    result: dict[str, Any] = expect["result"]
    codes = {
        (kind, one["code"]) for kind in ("findings", "repairs") for one in result.get(kind, ())
    }
    for segment in result.get("segments", ()):
        codes |= {("rejections", code) for code in segment.get("codes", ())}
    return codes


def depth(value: object) -> int:
    """Return how deep a JSON value nests: 0 for a single value, 1 for a flat object or array."""
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def schema_reference(operation: str, part: str) -> str:
    """Return the reference of the schema of an operation's ``input`` or ``result``."""
    return f"urn:commoncall:v1:{operation.replace('.', ':')}#/$defs/{part}"


def _read_manifest(root: Path, schemas: Schemas) -> tuple[Manifest, list[str]]:
    try:
        data = strict_yaml.load_file(root / MANIFEST, MANIFEST.as_posix())
    except FileNotFoundError:
        reasons = ["there is no such file"]
    except strict_yaml.StrictYamlError as error:
        reasons = [f"line {error.line}: {error.reason}"]
    else:
        faults = schemas.errors(f"{MANIFEST_SCHEMA}#/$defs/authored", data)
        reasons = [": ".join(filter(None, fault)) for fault in faults]
        if not faults:
            manifest = cast(Manifest, data)
            return manifest, list(_judge_manifest(manifest, schemas))
    return {"operations": [], "features": []}, reasons


def _judge_manifest(manifest: Manifest, schemas: Schemas) -> Iterator[str]:
    features = [entry["feature"] for entry in manifest["features"]]
    operations = [entry["operation"] for entry in manifest["operations"]]
    for kind, names in (("feature", features), ("operation", operations)):
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"the {kind} {name} stands twice"
    for entry in manifest["operations"]:
        name = entry["operation"]
        if entry["contract"] != name.partition(".")[0]:
            yield f"{name}: the contract is not the part before the dot"
        if entry["feature"] not in ("core", *features):
            yield f"{name}: there is no feature {entry['feature']}"
        for part in ("input", "result"):
            if not schemas.defines(schema_reference(name, part)):
                yield f"{name}: there is no schema {schema_reference(name, part)}"


def _place(data: object, pointer: str, message: str) -> tuple[str, str]:
    """Turn a pointer into a suite into the case that it points into, and a reason."""
    match = re.match(r"/cases/([0-9]+)(.*)", pointer, re.DOTALL)
    if match is None:
        return "", f"{pointer}: {message}" if pointer else message
    case = cast(dict[str, list[object]], data)["cases"][int(match[1])]
    name = case.get("id") if isinstance(case, dict) else None
    reason = f"{match[2]}: {message}" if match[2] else message
    return name if isinstance(name, str) else f"case {int(match[1]) + 1}", reason


def _judge_suite(suite: Suite, name: str, context: Context) -> Iterator[tuple[str, str]]:
    """Yield pairs of a case, or an empty text, and a reason."""
    operations = {entry["operation"] for entry in context.manifest["operations"]}
    operation = suite["operation"]
    if suite["suite"] != name:
        yield "", f"the suite says that it is {suite['suite']}, its path says {name}"
    if operation not in operations:
        yield "", f"the manifest has no operation {operation}"
        return
    if operation.partition(".")[0] != suite["suite"].partition("/")[0]:
        yield "", f"the operation {operation} belongs in another folder"
    for case in suite["cases"]:
        for reason in _judge_case(case, operation, context):
            yield case["id"], reason


def _judge_case(case: Case, operation: str, context: Context) -> Iterator[str]:
    if not case["id"].startswith(operation + "."):
        yield f"the id does not begin with {operation}."
    if banned := _BANNED_IN_TITLES.search(case["title"]):
        yield f"the title states no fact: {banned[0]}"
    yield from _judge_references(case, context)
    yield from _judge_input(case, operation, context.schemas)
    yield from _judge_expectation(case, operation, context)


def _judge_references(case: Case, context: Context) -> Iterator[str]:
    features = {entry["feature"] for entry in context.manifest["features"]}
    needed, without = case.get("features", []), case.get("without", [])
    for feature in dict.fromkeys([*needed, *without]):
        if feature not in features:
            yield f"there is no feature {feature}"
        elif feature in needed and feature in without:
            yield f"for those with and without {feature}, so for nobody"
    for name in case["requirements"]:
        requirement = context.spec.requirements.get(name)
        if requirement is None:
            yield f"there is no requirement {name}"
        # Diagnostic members are left out of the comparison instead; the case runs all the same.
        elif requirement.feature not in ("core", "diagnostics", *needed):
            yield f"{name} needs the feature {requirement.feature}, which the case does not name"
    origin = case["origin"]
    if origin["kind"] == "incident" and origin["ref"] not in context.spec.sources:
        yield f"there is no source {origin['ref']}"


def _judge_input(case: Case, operation: str, schemas: Schemas) -> Iterator[str]:
    if text_depth(case.get("input_json", "")) > MAX_TEXT_DEPTH:
        yield f"input_json nests deeper than {MAX_TEXT_DEPTH}"
        return
    try:
        value = case_input(case)
    except ValueError as error:
        yield f"input_json: {error}"
        return
    if "input" in case and depth(value) > MAX_DEPTH:
        yield f"input nests deeper than {MAX_DEPTH}; give it as input_json"
    lone = holds_lone_surrogate(json.dumps(value, ensure_ascii=False))
    if lone and "lone-surrogates" not in case.get("features", []):
        yield "input_json: a lone surrogate needs the feature lone-surrogates"
    reference = schema_reference(operation, "input")
    if not schemas.defines(reference):
        return
    faults = schemas.errors(reference, value)
    if case["expect"].get("error") != {"code": "invalid_input"}:
        yield from (f"input{pointer}: {message}" for pointer, message in faults)
    # A schema says what those with every feature take; without one of them more can be refused.
    elif not (faults or too_deep(value) or case.get("without")) and not _leaves_rules_out(
        reference, schemas
    ):
        yield "the schema accepts the input, so that it cannot be invalid_input"


def _leaves_rules_out(reference: str, schemas: Schemas) -> bool:
    """Tell whether a schema says of itself, in `$comment`, that the text asks for more."""
    identifier, _, name = reference.partition("#/$defs/")
    comment = schemas.documents[identifier]["$defs"][name].get("$comment", "")
    return isinstance(comment, str) and comment.startswith("Beyond a schema:")


def _judge_expectation(case: Case, operation: str, context: Context) -> Iterator[str]:
    if "result" in case["expect"]:
        result = case["expect"]["result"]
        if depth(result) > MAX_DEPTH:
            yield f"result nests deeper than {MAX_DEPTH}"
        reference = schema_reference(operation, "result")
        if not context.schemas.defines(reference):
            return
        faults = context.schemas.errors(reference, result)
        yield from (f"result{pointer}: {message}" for pointer, message in faults)
        if faults:
            return
    for kind, code in sorted(expected_codes(case)):
        row = context.spec.codes.get((kind, code))
        if row is None:
            yield f"codes.md has no {code} among the {kind}"
        elif not {operation, "all"}.intersection(row.operations):
            yield f"codes.md does not list {operation} for {code} among the {kind}"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
