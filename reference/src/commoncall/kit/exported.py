"""The tree that a port vendors: how it is written, and what a copy of it has to be.

It holds ``fixtures/v1``, ``fixtures/selftest``, ``schemas/v1``, the licence of all, and a page that
says what is there. The fixtures
have a ``SHA256SUMS`` of their own; that in ``schemas/v1`` is made here, so that a copy can be
checked whole. The tree of a set holds the cases that the set scores, no others, and has sums of its
own.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from commoncall.kit import data, exported_readme
from commoncall.kit.conformance import questions
from commoncall.kit.data import SUMS, Case, Suite, SuiteError

FIXTURES: Final = "fixtures/v1"
SELFTEST: Final = "fixtures/selftest"
SCHEMAS: Final = "schemas/v1"
LICENCE: Final = "LICENSE"
README: Final = exported_readme.NAME

_LICENCE_SOURCE = "LICENSES/MIT-0.txt"

State = Literal["missing", "changed", "superfluous", "unreadable"]


class TargetError(Exception):
    """The tree cannot be written there. The text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Which suite a tree is. The version is that of its manifest, None without one."""

    version: str | None
    digest: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of a copy.

    ``files`` is how many should be there, ``differences`` are states and paths, and ``unchecked``
    is a part that holds no digests.
    """

    identity: Identity
    files: int
    differences: Sequence[tuple[State, str]]
    unchecked: str | None


def export(target: Path, frozen: str | None = None, root: Path | None = None) -> Verification:
    """Write the tree to a folder that is empty or not there yet; return what stands there now.

    It is made beside the target and renamed, so that there is all of it or nothing.

    Args:
        target: the folder.
        frozen: the name of a set, for its cases alone; None for all.
        root: holds the fixtures and schemas; those of this installation where it is None.

    Raises:
        TargetError: the target is in use, or cannot be written.
        SuiteError: there are no fixtures, they are damaged, or there is no such set.
    """
    root = root or data.find_root()
    suite = None if frozen is None else data.load(root, frozen)
    try:
        files = contents(root, suite)
        place = target.resolve()
        if place.exists() and not (place.is_dir() and next(place.iterdir(), None) is None):
            raise TargetError(f"{target} exists and is no empty folder")
        if place == Path.cwd():
            raise TargetError("the current folder would be replaced; name another")
        place.parent.mkdir(parents=True, exist_ok=True)
        # The scratch folder is for our eyes only; the one in it has the usual permissions.
        with TemporaryDirectory(prefix=".commoncall-", dir=place.parent) as scratch:
            tree = Path(scratch) / "tree"
            for path, content in files.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(content)
            written = verify(tree)
            for state, path in written.differences:
                raise SuiteError(f"the fixtures of this installation are damaged: {state} {path}")
            if os.name == "nt" and place.exists():
                place.rmdir()  # there, a rename takes the place of no folder
            tree.rename(place)
    except OSError as error:
        raise TargetError(f"cannot write {target}: {error.strerror}") from None
    return written


def contents(root: Path, suite: Suite | None = None) -> dict[str, bytes]:
    """Return the tree by path: of what lies there, only what belongs to it.

    Raises:
        OSError: a file cannot be read.
        ValueError: the sums are out of form.
    """
    schemas = {
        file.relative_to(root / SCHEMAS).as_posix(): file.read_bytes()
        for file in sorted((root / SCHEMAS).rglob("*.schema.json"))
    }
    parts = {
        FIXTURES: _listed(root / FIXTURES) if suite is None else _scored(root, suite),
        SELFTEST: _listed(root / SELFTEST),
        SCHEMAS: {**schemas, SUMS: _sums(schemas)},
    }
    files = {
        f"{part}/{path}": content for part, held in parts.items() for path, content in held.items()
    }
    version = _version(files[f"{FIXTURES}/manifest.json"]) or "without version"
    digest = data.digest_of(files[f"{FIXTURES}/{SUMS}"])
    name = None if suite is None or suite.frozen is None else suite.frozen.name
    return {
        **files,
        LICENCE: (root / _LICENCE_SOURCE).read_bytes(),
        README: exported_readme.page(version, digest, name),
    }


def _listed(folder: Path) -> dict[str, bytes]:
    """Return ``SHA256SUMS`` of a folder, and the files that it lists."""
    sums = (folder / SUMS).read_bytes()
    return {SUMS: sums, **{path: (folder / path).read_bytes() for path in data.read_sums(sums)}}


def _scored(root: Path, suite: Suite) -> dict[str, bytes]:
    """Return the fixtures with the cases that are scored, and nothing that speaks of others."""
    assert suite.frozen is not None
    files = data.documents(root)
    scored = [case for case in suite.cases if suite.scores(case)]
    kept = {case.id for case in scored}
    found = {
        path: content
        for path, content in _listed(root / FIXTURES).items()
        if not path.endswith(".json")
    }
    entries = []
    for entry, held in zip(files.manifest["suites"], files.suites, strict=True):
        cases = [case for case in held["cases"] if case["id"] in kept]
        if cases:
            content = _encode({**held, "cases": cases})
            digest = hashlib.sha256(content).hexdigest()
            found[entry["path"]] = content
            entries.append({**entry, "cases": len(cases), "sha256": digest})
    requirements = [
        {**each, "cases": [name for name in each["cases"] if name in kept]}
        for each in files.index["requirements"]
        if each["id"] in suite.frozen.requirements
    ]
    manifest = {
        **{"format": files.manifest["format"], "version": files.manifest["version"]},
        "set": suite.frozen.name,
        **files.manifest,
        "contracts": [
            {**each, **numbers(each["contract"], requirements, scored)}
            for each in files.manifest["contracts"]
        ],
        "suites": entries,
    }
    found["manifest.json"] = _encode(manifest)
    found["requirements.json"] = _encode({**files.index, "requirements": requirements})
    del found[SUMS]
    found[SUMS] = _sums(found)
    return found


def numbers(
    contract: str, requirements: Sequence[Mapping[str, object]], cases: Sequence[Case]
) -> dict[str, int]:
    """Return how many requirements, cases and runs a contract has."""
    own = [case for case in cases if case.operation.contract == contract]
    return {
        "requirements": sum(each["contract"] == contract for each in requirements),
        "cases": len(own),
        "runs": sum(questions(case.laws) for case in own),
    }


def _encode(document: object) -> bytes:
    """Return the one form of a built file, as the build writes it."""
    return (json.dumps(document, indent=2, allow_nan=False) + "\n").encode("ascii")


def _sums(files: Mapping[str, bytes]) -> bytes:
    lines = [f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files)]
    return "".join(lines).encode()


def verify(root: Path) -> Verification:
    """Hold a copy to the digests that are in it.

    Args:
        root: an exported tree, or the folder of its fixtures.

    Raises:
        SuiteError: there is no copy of the fixtures.
    """
    tree = data.tree_of(root)
    which = identity(tree)
    if tree == root:
        files, differences = _compare(tree, "")
        return Verification(which, files, differences, None)
    files, differences = _compare(tree, f"{FIXTURES}/")
    unchecked = None
    for part in (SELFTEST, SCHEMAS):
        if (root / part / SUMS).is_file():
            more, others = _compare(root / part, f"{part}/")
            files, differences = files + more, differences + others
        elif (root / part).is_dir():
            unchecked = part
    return Verification(which, files, differences, unchecked)


def identity(tree: Path | None = None) -> Identity:
    """Return which suite a folder of fixtures is; without one, that of this installation.

    Raises:
        SuiteError: it has no ``SHA256SUMS``.
    """
    tree = tree or data.tree_of(data.find_root())
    try:
        digest = data.digest_of((tree / SUMS).read_bytes())
    except OSError as error:
        raise SuiteError(f"no suite in {tree}: {error.strerror}: {error.filename}") from None
    try:
        manifest = (tree / "manifest.json").read_bytes()
    except OSError:
        manifest = b""
    return Identity(_version(manifest), digest)


def _version(manifest: bytes) -> str | None:
    try:
        version = json.loads(manifest)["version"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return version if isinstance(version, str) else None


def _compare(folder: Path, prefix: str) -> tuple[int, list[tuple[State, str]]]:
    """Return how many files a folder should hold, and what differs, by path."""
    try:
        listed = data.read_sums((folder / SUMS).read_bytes())
    except (OSError, ValueError):
        return 1, [("unreadable", prefix + SUMS)]
    found: dict[str, State] = {}
    for directory, _, names in os.walk(folder):
        for name in names:
            path = (Path(directory) / name).relative_to(folder).as_posix()
            if path not in listed and path != SUMS:
                found[path] = "superfluous"
    for path, digest in listed.items():
        try:
            if hashlib.sha256((folder / path).read_bytes()).hexdigest() != digest:
                found[path] = "changed"
        except (FileNotFoundError, NotADirectoryError):
            found[path] = "missing"
        except OSError:
            found[path] = "unreadable"
    return len(listed), [(state, prefix + path) for path, state in sorted(found.items())]
