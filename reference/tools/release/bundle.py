"""The bundle for ports: ``python -m tools.release.bundle DIR`` writes one tree as tar.gz.

The tree is what ``commoncall export`` writes, with the sets, the changelog, the licences and, above
all of them, ``SHA256SUMS`` and the digest of the suite. The same files make the same bytes: names
are sorted, times and owners are fixed. ``SHA256SUMS`` beside the archive has its digest.
``--site SITE`` packs a built site instead.
"""

import argparse
import gzip
import io
import json
import shutil
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from commoncall import __version__
from commoncall_kit.suite import vendored_tree
from commoncall_kit.suite.data import SUMS, digest_of
from commoncall_kit.suite.vendored_tree import sums as sums
from tools.fixtures import sets
from tools.fixtures.authored import ROOT

EPOCH: Final = 315_532_800
"""1980-01-01, the day of each file, in seconds."""

MODE: Final = 0o644
DIGEST: Final = "SUITE-DIGEST"
NPM: Final = "reference/javascript"
"""The folder of the npm package."""

ALSO: Final = ("CHANGELOG.md", "LICENSES/README.md", "LICENSES/MIT-0.txt")


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Write the archive to a folder, emptied before; the exit status is 0, or 1 with a reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.bundle", description=main.__doc__
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--site", type=Path, metavar="SITE", help="pack a built site here")
    chosen = parser.parse_args(arguments)
    folder: Path = chosen.folder
    if chosen.site:
        return _pack_site(chosen.site, folder)
    if folder.exists() and not all(map(_is_ours, folder.iterdir())):
        print(f"bundle: {folder} holds something else than a bundle", file=sys.stderr)
        return 1
    files = contents(root)
    name = f"commoncall-fixtures-{json.loads(files['fixtures/v1/manifest.json'])['version']}"
    archives = {f"{name}.tar.gz": tar_gz(name, files)}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path, content in {**archives, SUMS: sums(archives)}.items():
        (folder / path).write_bytes(content)
    print(f"{folder}: {len(files)} files, suite {files[DIGEST].decode().strip()}")
    return 0


def _pack_site(site: Path, folder: Path) -> int:
    found = sorted(file for file in site.rglob("*") if file.is_file())
    if not found:
        print(f"bundle: there is no site in {site}: build it (docs)", file=sys.stderr)
        return 1
    files = {file.relative_to(site).as_posix(): file.read_bytes() for file in found}
    name = f"commoncall-site-{__version__}"
    (folder / f"{name}.tar.gz").write_bytes(tar_gz(name, files))
    return 0


def contents(root: Path) -> dict[str, bytes]:
    """Return the files of the bundle by path, sorted."""
    files = vendored_tree.contents(root)
    for path in (*sorted((root / sets.FOLDER).iterdir()), *(root / each for each in ALSO)):
        files[path.relative_to(root).as_posix()] = path.read_bytes()
    files[DIGEST] = f"{digest_of(files[f'{vendored_tree.FIXTURES}/{SUMS}'])}\n".encode()
    return dict(sorted({**files, SUMS: sums(files)}.items()))


def npm_package(root: Path) -> tuple[str, dict[str, bytes]]:
    """Return the name of npm's package, and its files: what ``npm pack`` takes."""
    folder = root / NPM
    about = json.loads((folder / "package.json").read_bytes())
    patterns = ("package.json", "README.md", "LICENSE*", *about["files"])
    found = sorted({file for pattern in patterns for file in folder.glob(pattern)})
    files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}
    return f"{about['name']}-{about['version']}.tgz", files


def tar_gz(name: str, files: Mapping[str, bytes]) -> bytes:
    """Return the tar.gz of files in one folder."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime, entry.mode = len(content), EPOCH, MODE
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(out.getvalue(), mtime=0)


def _is_ours(path: Path) -> bool:
    return path.name == SUMS or path.name.startswith("commoncall-fixtures-")


if __name__ == "__main__":
    sys.exit(main())
