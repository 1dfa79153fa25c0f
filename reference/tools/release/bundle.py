"""What is packed: the bundle for ports, npm's package, and the site itself.

The bundle is the tree that ``commoncall export`` writes, with the sets, the changelog, the licences
and, above all of them, ``SHA256SUMS`` and the digest of the suite. The site offers it and npm's
package; ``python -m tools.release.bundle SITE DIR`` packs a site that is built. The same files make
the same bytes: names are sorted, times and owners are fixed.
"""

import argparse
import gzip
import io
import json
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

EPOCH: Final = 315_532_800
"""1980-01-01, the day of each file, in seconds."""

MODE: Final = 0o644
DIGEST: Final = "SUITE-DIGEST"
NPM: Final = "reference/javascript"
"""The folder of the npm package."""

ALSO: Final = ("CHANGELOG.md", "LICENSES/README.md", "LICENSES/MIT-0.txt")


def main(arguments: Sequence[str] | None = None) -> int:
    """Pack a built site in a folder; the exit status is 0, or 1 with a reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.bundle", description=main.__doc__
    )
    parser.add_argument("site", type=Path, metavar="SITE")
    parser.add_argument("folder", type=Path, metavar="DIR")
    chosen = parser.parse_args(arguments)
    found = sorted(file for file in chosen.site.rglob("*") if file.is_file())
    if not found:
        print(f"bundle: there is no site in {chosen.site}: build it (docs)", file=sys.stderr)
        return 1
    files = {file.relative_to(chosen.site).as_posix(): file.read_bytes() for file in found}
    name = f"commoncall-site-{__version__}"
    (chosen.folder / f"{name}.tar.gz").write_bytes(tar_gz(name, files))
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


if __name__ == "__main__":
    sys.exit(main())
