"""The archive of the site: ``python -m tools.release.site SITE DIR`` packs a built site in DIR.

The same files make the same bytes, as in the bundle for ports.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from commoncall import __version__
from tools.release.bundle import tar_gz


def main(arguments: Sequence[str] | None = None) -> int:
    """Write ``commoncall-site-VERSION.tar.gz``; the exit status is 0, or 1 with a reason."""
    parser = argparse.ArgumentParser(prog="python -m tools.release.site", description=main.__doc__)
    parser.add_argument("site", type=Path, metavar="SITE")
    parser.add_argument("folder", type=Path, metavar="DIR")
    chosen = parser.parse_args(arguments)
    found = sorted(file for file in chosen.site.rglob("*") if file.is_file())
    if not found:
        print(f"site: there is none in {chosen.site}: build it (docs)", file=sys.stderr)
        return 1
    files = {file.relative_to(chosen.site).as_posix(): file.read_bytes() for file in found}
    name = f"commoncall-site-{__version__}"
    (chosen.folder / f"{name}.tar.gz").write_bytes(tar_gz(name, files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
