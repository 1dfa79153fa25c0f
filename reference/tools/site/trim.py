"""Take out of the built site what nobody asks for: ``python -m tools.site.trim build/site``.

The theme brings source maps, and languages that the search never loads. A sitemap has whole
addresses, and the site does not know its host. The page of an address that does not exist is shown
at any depth, where the links of the theme lead nowhere, so it is one of our own.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

UNUSED: Final = ("**/*.map", "sitemap.xml", "sitemap.xml.gz")
LANGUAGES: Final = "assets/javascripts/lunr"
_MAPPED: Final = re.compile(rb"\n?(?://|/\*)# ?sourceMappingURL=[^\n*]*(?:\*/)?")
NOT_FOUND: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Not found - CommonCall</title>
<style>
  body { max-width: 40rem; margin: 15vh auto; padding: 0 1rem; font: 1.1rem/1.6 system-ui }
</style>
<h1>There is no such page</h1>
<p>A requirement stands at <code>r/</code> and its id, such as <code>r/PAY-033/</code>, and keeps
that address for ever. For everything else the home page has a search.</p>
<p id="home" hidden><a>The home page</a></p>
<script>
  // Where the site begins is known from the folder that was asked for.
  const [base, found] = location.pathname.split(/(?<=\\/)((?:FOLDERS)(?:\\/|$).*)/);
  if (found) document.querySelector("#home a").href = base;
  document.querySelector("#home").hidden = !found;
</script>
</html>
"""


def trim(site: Path) -> int:
    """Trim a built site in place; return the bytes that it lost."""
    before = size(site)
    for pattern in UNUSED:
        for file in site.glob(pattern):
            file.unlink()
    shutil.rmtree(site / LANGUAGES, ignore_errors=True)
    for file in [*site.glob("assets/**/*.js"), *site.glob("assets/**/*.css")]:
        file.write_bytes(_MAPPED.sub(b"", file.read_bytes()))
    folders = sorted(each.name for each in site.iterdir() if each.is_dir())
    page = NOT_FOUND.replace("FOLDERS", "|".join(map(re.escape, folders)))
    (site / "404.html").write_text(page, encoding="utf-8")
    return before - size(site)


def size(site: Path) -> int:
    """Return the bytes of all files."""
    return sum(file.stat().st_size for file in site.rglob("*") if file.is_file())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0, or 2 without a site."""
    parser = argparse.ArgumentParser(prog="python -m tools.site.trim", description=main.__doc__)
    parser.add_argument("site", type=Path, help="the folder with the built HTML, e.g. build/site")
    site: Path = parser.parse_args(arguments).site
    if not (site / "index.html").exists():
        parser.error(f"no site in {site}")
    lost = trim(site)
    print(f"trim: {lost / 1e6:.1f} MB less, {size(site) / 1e6:.1f} MB are left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
