"""Write the site's Markdown to ``build/site-src``: ``python -m tools.site [--root DIR]``.

Gathers what the other files of this package make, and finishes each page. The result is plain
Markdown and a little HTML; ``mkdocs.yml`` builds it, and another engine could.

    python -m tools.site
    NO_MKDOCS_2_WARNING=1 mkdocs build --strict      # neither -q nor -v: both hide failures
    python -m tools.site.trim build/site
    python -m tools.check_site build/site
    node reference/tools/site/ask.mjs build/site reference/tools/site/queries.json
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tools.site import (
    adequacy,
    adr,
    contract,
    definition,
    dialects,
    download,
    history,
    home,
    implementations,
    profiles,
    requirement,
    schemas,
    speed,
    suites,
)
from tools.site.book import Book, read_book
from tools.site.cases import case_files
from tools.site.markdown import SiteError, link_ids, with_anchors
from tools.site.places import raw_files
from tools.site.search import with_front_matter

OUT = "build/site-src"


def site_files(root: Path) -> dict[str, str | bytes]:
    """Return every file of the site's source by path: pages as text, raw files as bytes.

    Raises:
        SiteError: the text, a case, a schema, a record or a link is out of form.
    """
    book = read_book(root)
    spec = book.spec
    made: dict[str, str | bytes] = {
        **profiles.pages(book.profiles, book.flags, spec.requirements),
        **dialects.pages(root, spec.pages, book.suites),
        **implementations.pages(book),
        **adequacy.pages(book),
        **contract.pages(book),
        **home.pages(book),
        **requirement.pages(book),
        **definition.pages(book),
        **adr.pages(book.adrs.values(), spec.sources, book.moved),
        **schemas.pages(root, book.suites),
        **suites.pages(book),
        **case_files(book.suites, book.version),
        **speed.pages(root),
        **history.pages(book),
        **download.pages(book),
    }
    finished = {
        path: _finished(book, path, content) if isinstance(content, str) else content
        for path, content in made.items()
    }
    return {**raw_files(root), **finished}


def write_site(root: Path) -> int:
    """Write the site's source to ``build/site-src``, emptied before; return the number of files.

    Raises:
        SiteError: as ``site_files``; then the folder is left as it was.
    """
    files = site_files(root)
    out = root / OUT
    shutil.rmtree(out, ignore_errors=True)
    for path, content in files.items():
        file = out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return len(files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0, or 1 with one line on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.site", description="Write the site's source."
    )
    parser.add_argument(
        "--root", type=Path, default=Path.cwd(), help="the repository (default: here)"
    )
    options = parser.parse_args(arguments)
    try:
        count = write_site(options.root)
    except SiteError as error:
        print(f"site: {error}", file=sys.stderr)
        return 1
    print(f"site: {count} files in {OUT}")
    return 0


def _finished(book: Book, path: str, text: str) -> str:
    """A page with its ids as links, anchors, what the search is told, and the suite at its foot."""
    if not path.endswith(".md"):
        return text
    text = with_anchors(link_ids(text, page=path, resolve=partial(book.resolve, path)))
    foot = f"{book.line}\n{{: .cc-suite data-search-exclude='' }}"
    return with_front_matter(path, f"{text.rstrip()}\n\n{foot}\n")


if __name__ == "__main__":
    sys.exit(main())
