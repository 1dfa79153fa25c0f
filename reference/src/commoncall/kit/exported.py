"""The tree that a port vendors: how it is written, and what a copy of it has to be.

It holds ``fixtures/v1``, ``schemas/v1`` and the licence of both. ``SHA256SUMS`` in ``fixtures/v1``
is the suite's own; the one in ``schemas/v1`` is made here, so that a copy can be checked whole.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from commoncall.kit import data
from commoncall.kit.data import SUMS, SuiteError

FIXTURES: Final = "fixtures/v1"
SCHEMAS: Final = "schemas/v1"
LICENCE: Final = "LICENSE"

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


def export(target: Path) -> Verification:
    """Write the tree to a folder that is empty or not there yet; return what stands there now.

    It is made beside the target and renamed, so that there is all of it or nothing.

    Raises:
        TargetError: the target is in use, or cannot be written.
        SuiteError: this installation has no fixtures, or they are damaged.
    """
    root = data.find_root()
    try:
        place = target.resolve()
        if place.exists() and not (place.is_dir() and next(place.iterdir(), None) is None):
            raise TargetError(f"{target} exists and is no empty folder")
        if place == Path.cwd():
            raise TargetError("the current folder would be replaced; name another")
        place.parent.mkdir(parents=True, exist_ok=True)
        # The scratch folder is for our eyes only; the one in it has the usual permissions.
        with TemporaryDirectory(prefix=".commoncall-", dir=place.parent) as scratch:
            tree = Path(scratch) / "tree"
            for path, content in _contents(root):
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


def _contents(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield paths and bytes: of what lies there, only what belongs to the tree."""
    sums = (root / FIXTURES / SUMS).read_bytes()
    yield f"{FIXTURES}/{SUMS}", sums
    for path in data.read_sums(sums):
        yield f"{FIXTURES}/{path}", (root / FIXTURES / path).read_bytes()
    lines = []
    for file in sorted((root / SCHEMAS).rglob("*.schema.json")):
        path, content = file.relative_to(root / SCHEMAS).as_posix(), file.read_bytes()
        lines.append(f"{hashlib.sha256(content).hexdigest()}  {path}\n")
        yield f"{SCHEMAS}/{path}", content
    yield f"{SCHEMAS}/{SUMS}", "".join(lines).encode()
    yield LICENCE, (root / _LICENCE_SOURCE).read_bytes()


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
    schemas = root / SCHEMAS
    if not (schemas / SUMS).is_file():
        return Verification(which, files, differences, SCHEMAS if schemas.is_dir() else None)
    more, others = _compare(schemas, f"{SCHEMAS}/")
    return Verification(which, files + more, differences + others, None)


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
        version = json.loads((tree / "manifest.json").read_bytes())["version"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        version = None
    return Identity(version if isinstance(version, str) else None, digest)


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
