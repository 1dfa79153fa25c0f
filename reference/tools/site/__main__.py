"""Write the site's Markdown to ``build/site-src``: ``python -m tools.site [--root DIR]``.

Gathers what the other files of this package make, and finishes each page. The result is plain
Markdown and a little HTML; ``mkdocs.yml`` builds it, and another engine could.

    python -m tools.site
    NO_MKDOCS_2_WARNING=1 mkdocs build --strict      # neither -q nor -v: both hide failures
    python -m tools.finish build/site
    node reference/tools/site/ask.mjs build/site reference/tools/site/queries.json
"""

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import tools.site
from tools.site.book import Book, Content, Pages
from tools.site.markdown import UNSEARCHED, SiteError, barred, in_form, link, link_ids, settled
from tools.site.places import front_matter, raw_files

OUT = "build/site-src"


def site_files(root: Path) -> dict[str, str | bytes]:
    """Return every file of the site's source by path: pages as text, raw files as bytes.

    Raises:
        SiteError: the text, a case, a schema, a record or a link is out of form.
    """
    book, files = Book(root), dict[str, Content](raw_files(root))
    for made in _made(book):
        files |= made
    return {path: _finished(book, path, content) for path, content in files.items()}


def write_site(root: Path) -> int:
    """Write the site's source to ``build/site-src``, emptied before; return the number of files.

    Raises:
        SiteError: as ``site_files``; then the folder is left as it was.
    """
    files = site_files(root)
    out = root / OUT
    shutil.rmtree(out, ignore_errors=True)
    for folder in {(out / path).parent for path in files}:
        folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        (out / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return len(files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0, or 1 with one line on stderr."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the repository")
    root = parser.parse_args(arguments).root
    try:
        count = write_site(root)
    except SiteError as error:
        print(f"site: {error}", file=sys.stderr)
        return 1
    print(f"site: {count} files in {OUT}")
    return 0


def _made(book: Book) -> Iterator[Pages]:
    """Yield what each file of this package makes that has ``pages``."""
    for found in iter_modules(tools.site.__path__):
        if not found.name.startswith("_"):
            kind = import_module(f"{tools.site.__name__}.{found.name}")
            if hasattr(kind, "pages"):
                with in_form(f"{kind.__name__}: what it shows is not in form"):
                    yield kind.pages(book)


def _finished(book: Book, path: str, content: Content) -> str | bytes:
    """A page with what the engine is told, ids and pages as links, and the suite at its foot."""
    if isinstance(content, bytes):
        return content
    with in_form(f"{path}: what it shows is not in form"):
        whole = content if isinstance(content, str) else "\n\n".join(content)
    if not path.endswith(".md"):
        return whole
    own, _, text = whole.removeprefix("---\n").partition("---\n\n")
    if not whole.startswith("---\n"):
        own, text = "", whole
    linked = settled(path, link_ids(barred(text), partial(book.resolve, path)))
    suite = link("download.md", f"suite {book.version}")
    foot = f'{suite} <span title="{book.digest}">{book.digest[:19]}</span>'
    foot = settled(path, f"This text belongs to {foot}\n{{: .cc-suite {UNSEARCHED} }}")
    return f"{front_matter(path, own)}{linked.rstrip()}\n\n{foot}\n"


if __name__ == "__main__":
    sys.exit(main())
