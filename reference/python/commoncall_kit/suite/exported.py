"""The tree that a port vendors: how it is written, and what a copy of it has to be.

It holds ``fixtures/v1``, ``fixtures/selftest``, ``schemas/v1``, the dialects and formats of
``spec/v1``, the licence of all, and a page that says what is there. The fixtures have a
``SHA256SUMS`` of their own; that in ``schemas/v1`` and that of the whole tree are made here, so
that a copy can be checked whole. The tree of a set holds the cases that the set scores, no others,
and has sums of its own.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from commoncall.dialect_data import folder_of
from commoncall.files import json_file
from commoncall_kit.suite import data, exported_readme
from commoncall_kit.suite.copied import Copy, FileState, Refused
from commoncall_kit.suite.data import SUMS, Case, Suite, SuiteError
from commoncall_kit.suite.laws import questions

FIXTURES: Final = "fixtures/v1"
SELFTEST: Final = "fixtures/selftest"
SCHEMAS: Final = "schemas/v1"
WRITTEN: Final = ("spec/v1/dialects", "spec/v1/formats", "spec/v1/profiles")
"""What models write and what endpoints take, as data; a wheel has them beside the other folder."""

LICENCE: Final = "LICENSE"
README: Final = exported_readme.NAME

_LICENCE_SOURCE = "LICENSES/MIT-0.txt"

LONGEST_SUMS: Final = 1024 * 1024
LONGEST_MANIFEST: Final = 4 * 1024 * 1024
"""What stands in these two of a copy is taken into memory; so many bytes are, at most."""

LONGEST_VERSION: Final = 100


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
    are parts that no digest speaks of, each with the reason.
    """

    identity: Identity
    files: int
    differences: Sequence[tuple[FileState, str]]
    unchecked: Sequence[str]


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
        place = _destination(target)
        if place.exists() and not (place.is_dir() and next(place.iterdir(), None) is None):
            raise TargetError(f"{target} exists and is no empty folder")
        if place == Path.cwd():
            raise TargetError("the current folder would be replaced; name another")
        files = contents(root, suite)
        files[SUMS] = sums(files)
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


def _destination(target: Path) -> Path:
    """Return where a folder is or would be; no link on the way there may lead nowhere.

    Raises:
        TargetError: one does.
        OSError: there are too many links, or a folder cannot be looked at.
    """
    there = Path.cwd() / target
    missing: list[str] = []
    while not os.path.lexists(there):
        missing.append(there.name)
        there = there.parent
    try:
        found = os.path.realpath(there, strict=True)
    except FileNotFoundError:
        raise TargetError(f"cannot write {target}: {there} is a link to nothing") from None
    # Of what is not there yet a step back takes away the step before.
    return Path(os.path.normpath(Path(found, *reversed(missing))))


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
        SCHEMAS: {**schemas, SUMS: sums(schemas)},
    }
    for part in WRITTEN:
        here, packaged = root / part, Path(folder_of(Path(part).name))
        found = sorted((here if here.is_dir() else packaged).glob("*.json"))
        parts[part] = {file.name: file.read_bytes() for file in found}
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
            content = encode({**held, "cases": cases})
            digest = data.sha256(content)
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
    found["manifest.json"] = encode(manifest)
    found["requirements.json"] = encode({**files.index, "requirements": requirements})
    del found[SUMS]
    found[SUMS] = sums(found)
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


def encode(document: object) -> bytes:
    """Return the bytes of a built file."""
    return json_file(document).encode("ascii")


def sums(files: Mapping[str, bytes]) -> bytes:
    """Return the lines that ``sha256sum --check`` reads."""
    lines = [f"{data.sha256(files[path])}  {path}\n" for path in sorted(files)]
    return "".join(lines).encode()


def verify(root: Path) -> Verification:
    """Hold a copy to the digests that are in it. What it holds is not trusted.

    Args:
        root: an exported tree, or the folder of its fixtures.

    Raises:
        SuiteError: there is no copy of the fixtures.
    """
    copy = Copy(root)
    fixtures = f"{FIXTURES}/" if copy.is_folder(FIXTURES) else ""
    try:
        which = _identity(copy, fixtures)
    except Refused as refused:
        raise SuiteError(f"no suite in {root}: {refused}") from None
    differences = _Differences(copy)
    differences.add(fixtures)
    if not fixtures:
        return Verification(which, len(differences.listed), differences.in_order(), ())
    unchecked = []
    whole = _speaks_for_all(copy, differences)
    for part in (SELFTEST, SCHEMAS):
        try:
            copy.read(f"{part}/{SUMS}", LONGEST_SUMS)
        except Refused as refused:
            if refused.state != "missing":
                differences.found.setdefault(refused.path, refused.state)
            elif not whole:
                here = copy.is_folder(part)
                unchecked.append(f"{part}, which {f'has no {SUMS}' if here else 'is not there'}")
        else:
            differences.add(f"{part}/")
    if whole:
        differences.add("")
    else:
        unchecked.append(f"what else is there, as no {SUMS} lists it")
    return Verification(which, len(differences.listed), differences.in_order(), unchecked)


class _Differences:
    """What differs in a copy, by path; the first ``SHA256SUMS`` that speaks of a path decides."""

    def __init__(self, copy: Copy) -> None:
        self._copy = copy
        self.found: dict[str, FileState] = {}
        self.listed: set[str] = set()

    def add(self, folder: str) -> None:
        """Hold a folder, its path with a slash behind it, to its ``SHA256SUMS``."""
        sums = folder + SUMS
        try:
            digests = data.read_sums(self._copy.read(sums, LONGEST_SUMS))
        except Refused as refused:
            self.found.setdefault(refused.path, refused.state)
            return
        except ValueError:
            self.found.setdefault(sums, "unreadable")
            return
        listed = {folder + path: digest for path, digest in digests.items()}
        self.listed |= listed.keys()
        for path, digest in listed.items():
            try:
                if self._copy.digest(path) != digest:
                    self.found.setdefault(path, "changed")
            except Refused as refused:
                self.found.setdefault(refused.path, refused.state)
        for path, is_listable in self._copy.files(folder):
            if not is_listable:
                self.found.setdefault(path, "unreadable")
            elif path not in listed and path != sums:
                self.found.setdefault(path, "superfluous")

    def in_order(self) -> list[tuple[FileState, str]]:
        """Return states and paths, sorted by path."""
        return [(state, path) for path, state in sorted(self.found.items())]


def _speaks_for_all(copy: Copy, differences: _Differences) -> bool:
    """Tell whether the ``SHA256SUMS`` at the top is that of an export: it lists the other one."""
    try:
        return f"{FIXTURES}/{SUMS}" in data.read_sums(copy.read(SUMS, LONGEST_SUMS))
    except Refused as refused:
        if refused.state != "missing":
            differences.found[refused.path] = refused.state
    except ValueError:
        differences.found[SUMS] = "unreadable"
    return False


def _identity(copy: Copy, fixtures: str) -> Identity:
    """Return which suite a copy is.

    Raises:
        Refused: its ``SHA256SUMS`` is not read.
    """
    digest = data.digest_of(copy.read(fixtures + SUMS, LONGEST_SUMS))
    try:
        manifest = copy.read(f"{fixtures}manifest.json", LONGEST_MANIFEST)
    except Refused:
        manifest = b""
    return Identity(_version(manifest), digest)


def identity(tree: Path | None = None) -> Identity:
    """Return which suite a folder of our own fixtures is; without one, that of this installation.

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
    # It is shown on one line.
    return version if isinstance(version, str) and len(version) <= LONGEST_VERSION else None
