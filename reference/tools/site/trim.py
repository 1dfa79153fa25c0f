"""Take out of the built site what nobody asks for: ``python -m tools.site.trim build/site``.

The theme brings source maps, and languages that the search never loads. A sitemap has whole
addresses, and the site does not know its host.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from pathlib import Path

UNUSED = ("**/*.map", "sitemap.xml", "sitemap.xml.gz")
LANGUAGES = "assets/javascripts/lunr"
_MAPPED = re.compile(rb"\n?(?://|/\*)# ?sourceMappingURL=[^\n*]*(?:\*/)?")


def trim(site: Path) -> int:
    """Trim a built site in place; return the bytes that it lost."""
    before = _size(site)
    for pattern in UNUSED:
        for file in site.glob(pattern):
            file.unlink()
    shutil.rmtree(site / LANGUAGES, ignore_errors=True)
    for file in [*site.glob("assets/**/*.js"), *site.glob("assets/**/*.css")]:
        file.write_bytes(_MAPPED.sub(b"", file.read_bytes()))
    return before - _size(site)


def _size(site: Path) -> int:
    return sum(file.stat().st_size for file in site.rglob("*") if file.is_file())


def main() -> int:
    """Run the command; exit status 0, or 2 without a site."""
    parser = argparse.ArgumentParser(prog="python -m tools.site.trim", description=main.__doc__)
    parser.add_argument("site", type=Path, help="the folder with the built HTML, e.g. build/site")
    site: Path = parser.parse_args().site
    if not (site / "index.html").exists():
        parser.error(f"no site in {site}")
    print(f"trim: {trim(site) / 1e6:.1f} MB less, {_size(site) / 1e6:.1f} MB are left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
