"""Sets: what a release froze, and whether text and cases still honour it.

``fixtures/sets/MINOR.json`` holds the digests of all cases and requirements of a release. It is
written once, by ``tools.release``. From then on nothing in it changes or goes without a trace: an
entry in ``changes``, or a heading that says what took its place, and a line in the changelog.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from commoncall.kit.suite.data import case_digest
from tools.fixtures import Tree
from tools.schemas import read_files

FOLDER: Final = Path("fixtures/sets")
SCHEMA: Final = "urn:commoncall:v1:formats:set"
FORMAT: Final = 1


def frozen(tree: Tree, name: str, version: str, digest: str) -> dict[str, object]:
    """Return the set that a release writes; ``digest`` is that of the built suite."""
    cases = {name: digest for name, (digest, _) in _cases(tree).items()}
    requirements = {one.id: one.sha256 for one in tree.context.spec.requirements.values()}
    return {
        "format": FORMAT,
        "set": name,
        "version": version,
        "suite": digest,
        "cases": [{"id": each, "sha256": cases[each]} for each in sorted(cases)],
        "requirements": [
            {"id": each, "sha256": requirements[each]} for each in sorted(requirements)
        ],
    }


def problems(root: Path, tree: Tree) -> list[str]:
    """Say what breaks the promise of the newest set of a checkout, a line each.

    ``tree`` is what ``fixtures.read_tree`` gives for ``root``; one with problems keeps no promise.
    """
    sets, found = read_files(root, f"{FOLDER}/*.json")
    found += tree.context.schemas.misfits(SCHEMA, sets)
    for path, held in sets.items():
        if not found and Path(path).stem != held["set"]:
            found.append(f"{path}: the file holds the set {held['set']}")
    if found or not sets or tree.problems or tree.context.spec.problems:
        return found
    newest = max(sets.values(), key=lambda held: _number(held["set"]))
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    later = text.partition(f"\n## [{newest['version']}]")[0]
    lines = broken(newest, tree, later)
    return [f"set {newest['set']}: {line}" for line in lines]


def broken(held: Mapping[str, Any], tree: Tree, changelog: str) -> Iterator[str]:
    """Yield what breaks a set.

    Args:
        held: the set.
        tree: text and cases as they are now.
        changelog: what the changelog says of later versions.
    """
    spec, name = tree.context.spec, held["set"]
    now = {one.id: (one.sha256, [one.since, *one.changes]) for one in spec.requirements.values()}
    gone = {one.id: one.since for one in spec.withdrawn.values()}
    yield from _judge(held["requirements"], now, gone, name, changelog)
    withdrawn = {
        one["id"]: one["since"]
        for suite in tree.suites.values()
        for one in suite.get("withdrawn", [])
    }
    suites = {case["id"]: id_ for id_, suite in tree.suites.items() for case in suite["cases"]}
    yield from _judge(held["cases"], _cases(tree), withdrawn, name, changelog, suites)


def _judge(
    rows: Sequence[Mapping[str, str]],
    now: Mapping[str, tuple[str, Sequence[str]]],
    gone: Mapping[str, str],
    name: str,
    changelog: str,
    suites: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Hold rows of a set to digests and versions of today; ``gone`` are versions of withdrawal.

    The changelog may name the suite of a case in its place: where one rule changes a hundred cases,
    their ids say nothing.
    """
    for row in rows:
        known = row["id"]
        if known in gone:
            changed = True
            if not _newer(gone[known], name):
                yield f"{known} is withdrawn since {gone[known]}, which is not after the set"
        elif known not in now:
            yield f"{known} has gone; an id is withdrawn and stays"
            continue
        else:
            digest, versions = now[known]
            changed = digest != row["sha256"]
            if changed and not any(_newer(version, name) for version in versions[1:]):
                yield f"{known} has changed and names no version after {name} in its changes"
        if changed and known not in changelog and f"`{suites.get(known)}`" not in changelog:
            yield f"{known} has changed or gone, and CHANGELOG.md has no line on it"
    for known in now.keys() - {row["id"] for row in rows}:
        if not _newer(now[known][1][0], name):
            yield f"{known} is not in the set, and says since {now[known][1][0]}"


def _cases(tree: Tree) -> dict[str, tuple[str, list[str]]]:
    """Return the digest of each case, and the versions that brought and changed it."""
    return {
        case["id"]: (case_digest(operation, case), [case["since"], *case.get("changes", [])])
        for operation, case in tree.cases()
    }


def _newer(version: str, name: str) -> bool:
    return _number(version) > _number(name)


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
