"""The build: from ``fixtures/src`` and ``spec`` to what ports vendor, ``fixtures/v1``.

``python -m tools.build`` writes; with ``--check`` it writes nothing and names every file that a
build would write or remove. Expectations are copied as they were authored: no command derives them
from the reference. Nothing is written while anything is wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from commoncall import __version__
from commoncall.kit.drive.protocol import PROTOCOL
from commoncall.kit.suite.data import SUMS
from commoncall.kit.suite.exported import encode, sums
from commoncall.kit.suite.files import write as write_whole
from commoncall.kit.suite.laws import LAWS, questions
from tools import fixtures, spec_text
from tools.fixtures import ROOT, Problem, Tree
from tools.spec_text import Definition, Requirement, Spec, Withdrawn

TARGET = Path("fixtures/v1")
HAND_WRITTEN = ("README.md", "LICENSE")
"""Files in the built folder that no build writes or removes."""

FORMAT = 1
STATED = (
    *("id", "title", "level", "text", "sha256", "contract"),
    *("feature", "since", "changes", "adr", "source"),
)
"""The members of a requirement that are built as they stand in the text."""


class BuildError(Exception):
    """The sources are wrong; ``problems`` says each reason in a line."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


def outputs(root: Path) -> dict[str, bytes]:
    """Build everything in memory: the content of each file, by its path below ``fixtures/v1``.

    Raises:
        BuildError: a suite, the manifest, a schema or the text is wrong.
    """
    tree = fixtures.read_tree(root)
    problems = [str(problem) for problem in (*tree.context.spec.problems, *tree.problems)]
    if problems:
        raise BuildError(problems)
    files = {f"{name}.json": encode(suite) for name, suite in tree.suites.items()}
    documents = {"manifest": manifest(tree, files), "requirements": requirements(tree)}
    for name, document in documents.items():
        reference = f"urn:commoncall:v1:formats:{name}"
        faults = tree.context.schemas.errors(reference, document)
        file = (TARGET / f"{name}.json").as_posix()
        problems += [str(Problem(file, pointer, message)) for pointer, message in faults]
        files[f"{name}.json"] = encode(document)
    if problems:
        raise BuildError(problems)
    for name in HAND_WRITTEN:
        if (root / TARGET / name).exists():
            files[name] = (root / TARGET / name).read_bytes()
    # Last, so that an interrupted build is noticed by whoever checks the sums.
    return {**files, SUMS: sums(files)}


def manifest(tree: Tree, files: Mapping[str, bytes]) -> dict[str, object]:
    """Return ``manifest.json``: the authored manifest, the codes, and the built suites."""
    authored = tree.context.manifest
    codes = tree.context.spec.codes
    return {
        "format": FORMAT,
        "version": __version__,
        "operations": [
            {**entry, "schema": f"schemas/v1/{entry['operation'].replace('.', '/')}.schema.json"}
            for entry in authored["operations"]
        ],
        "features": authored["features"],
        "contracts": contracts(tree),
        "protocol": PROTOCOL,
        "laws": [*LAWS, "chunking"],
        "codes": {
            kind: [
                _members(row, "code", "operations", "meaning")
                for row in codes.values()
                if row.kind == kind
            ]
            for kind in spec_text.KINDS
        },
        "reasons": [
            {"reason": name, "meaning": text} for name, text in tree.context.spec.reasons.items()
        ],
        "texts": [{"name": name, "text": text} for name, text in tree.context.spec.texts.items()],
        "suites": [
            {
                "suite": name,
                "path": f"{name}.json",
                "operation": suite["operation"],
                "cases": len(suite["cases"]),
                "sha256": hashlib.sha256(files[f"{name}.json"]).hexdigest(),
            }
            for name, suite in sorted(tree.suites.items())
        ],
    }


def contracts(tree: Tree) -> list[dict[str, object]]:
    """Return what a port claims: each contract with its features, and how much there is of it."""
    manifest, requirements = tree.context.manifest, tree.context.spec.requirements.values()
    prefixes = {contract: prefix for prefix, contract in spec_text.CONTRACTS.items()}
    found: list[dict[str, object]] = []
    for contract in dict.fromkeys(entry["contract"] for entry in manifest["operations"]):
        operations = [one for one in manifest["operations"] if one["contract"] == contract]
        names = [entry["operation"] for entry in operations]
        cases = [case for operation, case in tree.cases() if operation in names]
        own = [one for one in requirements if one.contract == contract]
        used = {entry["feature"] for entry in operations} | {one.feature for one in own}
        used |= {"diagnostics"} if any(entry["diagnostics"] for entry in operations) else set()
        used |= {name for case in cases for name in case.get("features", [])}
        features = [entry["feature"] for entry in manifest["features"]]
        found.append(
            {
                "contract": contract,
                "prefix": prefixes[contract],
                "operations": names,
                "features": [name for name in features if name in used],
                "requirements": len(own),
                "cases": len(cases),
                "runs": sum(questions(case.get("laws", [])) for case in cases),
            }
        )
    return found


def requirements(tree: Tree) -> dict[str, object]:
    """Return ``requirements.json``: the law as data, with the cases that cite each requirement."""
    spec = tree.context.spec
    cases: dict[str, list[str]] = {name: [] for name in spec.requirements}
    for _, case in tree.cases():
        for name in case["requirements"]:
            cases[name].append(case["id"])
    return {
        "format": FORMAT,
        "version": __version__,
        "requirements": [
            {
                **_members(item, *STATED),
                "cases": sorted(cases[name]),
                "links": links(spec, item),
                "address": address(item, item.id.lower()),
                **({} if item.review is None else {"review": item.review}),
            }
            for name, item in spec.requirements.items()
        ],
        "definitions": [
            {
                **_members(item, "name", "text", "sha256"),
                "links": links(spec, item),
                "address": address(item, item.anchor),
            }
            for item in spec.definitions.values()
        ],
        "withdrawn": [
            {
                **_members(item, "id", "since", "replaced_by"),
                "address": address(item, item.id.lower()),
            }
            for item in spec.withdrawn.values()
        ],
    }


def _members(item: object, *names: str) -> dict[str, object]:
    """Return members of an item as JSON."""
    values = {name: getattr(item, name) for name in names}
    return {name: list(one) if isinstance(one, tuple) else one for name, one in values.items()}


def address(item: Requirement | Definition | Withdrawn, anchor: str) -> str:
    """Return the place of a requirement or definition on the site: ``v1/payload/#pay-003``."""
    return f"{item.page.removesuffix('.md')}/#{anchor}"


def links(spec: Spec, item: Requirement | Definition) -> list[str]:
    """Return the addresses of the definitions that a text links; its plain form has lost them."""
    return [address(spec.definitions[key], spec.definitions[key].anchor) for key in item.links]


def stale(root: Path, files: Mapping[str, bytes]) -> list[str]:
    """Say which files below ``fixtures/v1`` differ from ``files``, one line each; [] is clean."""
    target = root / TARGET
    lines = []
    for name, content in sorted(files.items()):
        if not (target / name).exists():
            lines.append(f"{TARGET.as_posix()}/{name}: missing")
        elif (target / name).read_bytes() != content:
            lines.append(f"{TARGET.as_posix()}/{name}: stale")
    return lines + [
        f"{TARGET.as_posix()}/{name}: has no source, remove it" for name in extra(root, files)
    ]


def extra(root: Path, files: Mapping[str, bytes]) -> list[str]:
    """List the files below ``fixtures/v1`` that no source makes."""
    target = root / TARGET
    present = (path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())
    return sorted(name for name in present if name not in files)


def write(root: Path, files: Mapping[str, bytes]) -> None:
    """Bring ``fixtures/v1`` up to date: replace files whole, and remove JSON without a source."""
    target = root / TARGET
    for name in extra(root, files):
        if name.endswith(".json"):  # made by an earlier build; anything else is somebody's
            (target / name).unlink()
    for name, content in files.items():
        if name in HAND_WRITTEN:
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(target / name, content.decode())
    for folder in sorted((path for path in target.rglob("*") if path.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the build or the check and return the exit status: 0, or 1 with the reasons on stderr."""
    parser = argparse.ArgumentParser(prog="python -m tools.build", description="Build fixtures/v1.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="build (the default)")
    mode.add_argument("--check", action="store_true", help="write nothing; fail on stale files")
    check: bool = parser.parse_args(arguments).check
    try:
        files = outputs(root)
    except BuildError as error:
        print(*error.problems, f"{error}; nothing is written", sep="\n", file=sys.stderr)
        return 1
    if not check:
        write(root, files)
    pages = spec_text.write_indices(root, check=check)
    lines = stale(root, files) + [f"spec/{page}: stale index" for page in pages if check]
    if lines:
        remedy = "python3 noxfile.py -s fixtures -- --write brings what is built up to date"
        print(*lines, remedy, sep="\n", file=sys.stderr)
        return 1
    suites = json.loads(files["manifest.json"])["suites"]
    cases = sum(suite["cases"] for suite in suites)
    print(f"{TARGET.as_posix()}: {len(suites)} suites, {cases} cases, up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
