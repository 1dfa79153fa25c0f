"""The tree that a port vendors: how it is written, and what a copy of it has to be.

It holds ``fixtures/v1``, ``fixtures/selftest``, ``schemas/v1``, the dialects and formats of
``spec/v1``, the licence of all, and a page that says what is there. The fixtures have a
``SHA256SUMS`` of their own; that in ``schemas/v1`` and that of the whole tree are made here, so
that a copy can be checked whole.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from commoncall import files
from commoncall.dialect_data import folder_of
from commoncall.files import json_file
from commoncall_kit.suite import data, vendored_readme
from commoncall_kit.suite.data import SUMS, DamagedSuiteError, SuiteError

FIXTURES: Final = "fixtures/v1"
SELFTEST: Final = "fixtures/selftest"
SCHEMAS: Final = "schemas/v1"
WRITTEN: Final = ("spec/v1/dialects", "spec/v1/formats", "spec/v1/interfaces", "spec/v1/profiles")
"""What models write and what endpoints take, as data; a wheel has them beside the other folder."""

LICENCE: Final = "LICENSE"
README: Final = vendored_readme.NAME
PARTS: Final = (FIXTURES, SELFTEST, SCHEMAS, *WRITTEN, LICENCE, README)

_LICENCE_SOURCE = "LICENSES/MIT-0.txt"

FileState = Literal["missing", "changed", "superfluous", "unreadable"]


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

    ``files`` is how many should be there, ``differences`` are states and paths. ``is_whole`` says
    that its digests speak of everything in the folder.
    """

    identity: Identity
    files: int
    differences: Sequence[tuple[FileState, str]]
    is_whole: bool


def export(target: Path, root: Path | None = None) -> Identity:
    """Write the tree to a folder that is empty or not there yet.

    It is made beside the target and renamed, so that there is all of it or nothing.

    Args:
        target: the folder.
        root: holds the fixtures and schemas; those of this installation where it is None.

    Raises:
        TargetError: the target is in use, or cannot be written.
        SuiteError: there are no fixtures, or they are damaged.
    """
    root = root or data.find_root()
    try:
        place = Path(os.path.realpath(target))
        if place.exists() and not (place.is_dir() and next(place.iterdir(), None) is None):
            raise TargetError(f"{target} exists and is no empty folder")
        if place == Path.cwd():
            raise TargetError("the current folder would be replaced; name another")
        held = contents(root)
        held[SUMS] = sums(held)
        place.parent.mkdir(parents=True, exist_ok=True)
        # The scratch folder is for our eyes only; the one in it has the usual permissions.
        with TemporaryDirectory(prefix=".commoncall-", dir=place.parent) as scratch:
            tree = Path(scratch) / "tree"
            for path, content in held.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(content)
            if os.name == "nt" and place.exists():
                place.rmdir()  # there, a rename takes the place of no folder
            tree.rename(place)
    except OSError as error:
        raise TargetError(f"cannot write {target}: {error.strerror}") from None
    return identity(place / FIXTURES)


def contents(root: Path) -> dict[str, bytes]:
    """Return the tree by path: of what lies there, only what belongs to it.

    Raises:
        OSError: a file cannot be read.
        ValueError: the sums are out of form.
        DamagedSuiteError: a file of the fixtures is not the one that they name.
    """
    schemas = {
        file.relative_to(root / SCHEMAS).as_posix(): file.read_bytes()
        for file in sorted((root / SCHEMAS).rglob("*.schema.json"))
    }
    parts = {
        FIXTURES: _listed(root / FIXTURES),
        SELFTEST: _listed(root / SELFTEST),
        SCHEMAS: {**schemas, SUMS: sums(schemas)},
    }
    for part in WRITTEN:
        here, packaged = root / part, Path(folder_of(Path(part).name))
        found = sorted((here if here.is_dir() else packaged).glob("*.json"))
        parts[part] = {file.name: file.read_bytes() for file in found}
    held = {
        f"{part}/{path}": content for part, one in parts.items() for path, content in one.items()
    }
    version = _version(held[f"{FIXTURES}/manifest.json"]) or "without version"
    digest = data.digest_of(held[f"{FIXTURES}/{SUMS}"])
    return {
        **held,
        LICENCE: (root / _LICENCE_SOURCE).read_bytes(),
        README: vendored_readme.page(version, digest),
    }


def _listed(folder: Path) -> dict[str, bytes]:
    """Return ``SHA256SUMS`` of a folder, and the files that it lists.

    Raises:
        DamagedSuiteError: one is not the file that its digest names.
    """
    found = {SUMS: (folder / SUMS).read_bytes()}
    for path, digest in data.read_sums(found[SUMS]).items():
        found[path] = (folder / path).read_bytes()
        if data.sha256(found[path]) != digest:
            raise DamagedSuiteError(f"{folder / path} is not the file that {SUMS} names")
    return found


def encode(document: object) -> bytes:
    """Return the bytes of a built file."""
    return json_file(document).encode("ascii")


def sums(held: Mapping[str, bytes]) -> bytes:
    """Return the lines that ``sha256sum --check`` reads."""
    lines = [f"{data.sha256(held[path])}  {path}\n" for path in sorted(held)]
    return "".join(lines).encode()


def verify(root: Path) -> Verification:
    """Hold a copy to the digests that are in it: those of an export at its top, or else those of
    its fixtures.

    Args:
        root: an exported tree, or the folder of its fixtures.

    Raises:
        SuiteError: there is no copy of the fixtures.
    """
    tree = data.tree_of(root)
    which = identity(tree)
    is_export = tree != root and _is_export(root)
    folder = root if is_export else tree
    try:
        digests = data.read_sums(files.read(folder / SUMS, data.MAX_BYTES))
    except (OSError, ValueError):
        path = (folder / SUMS).relative_to(root).as_posix()
        return Verification(which, 0, [("unreadable", path)], is_export)
    differences = [
        (state, (folder / path).relative_to(root).as_posix())
        for state, path in _differences(folder, digests)
    ]
    differences.sort(key=lambda difference: difference[1])
    return Verification(which, len(digests), differences, is_export or tree == root)


def _is_export(root: Path) -> bool:
    """Tell whether the ``SHA256SUMS`` of a folder is that of an export, perhaps a damaged one."""
    try:
        return f"{FIXTURES}/{SUMS}" in data.read_sums(files.read(root / SUMS, data.MAX_BYTES))
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def _differences(folder: Path, digests: Mapping[str, str]) -> Iterator[tuple[FileState, str]]:
    for path, digest in digests.items():
        try:
            if data.sha256(files.read(folder / path, data.MAX_BYTES)) != digest:
                yield "changed", path
        except (FileNotFoundError, NotADirectoryError):
            yield "missing", path
        except OSError:
            yield "unreadable", path
    for above, _, names in os.walk(folder):
        for name in names:
            path = Path(above, name).relative_to(folder).as_posix()
            if path not in digests and path != SUMS:
                yield "superfluous", path


def identity(tree: Path | None = None) -> Identity:
    """Return which suite a folder of fixtures is; without one, that of this installation.

    Raises:
        SuiteError: it has no ``SHA256SUMS``.
    """
    tree = tree or data.tree_of(data.find_root())
    try:
        digest = data.digest_of(files.read(tree / SUMS, data.MAX_BYTES))
    except OSError as error:
        raise SuiteError(f"no suite in {tree}: {error.strerror}: {error.filename}") from None
    try:
        manifest = files.read(tree / "manifest.json", data.MAX_BYTES)
    except OSError:
        manifest = b""
    return Identity(_version(manifest), digest)


def _version(manifest: bytes) -> str | None:
    try:
        version = json.loads(manifest)["version"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return version if isinstance(version, str) else None
