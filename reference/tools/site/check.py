"""Check the built site: ``python -m tools.site.check build/site``.

Looks at the HTML that readers get, because the engine's strict mode passes duplicate ids, links in
raw HTML, undefined reference links and assets from elsewhere. Exit status: 0 clean, 1 problems or
nothing to check, 2 usage.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_NO_ASSETS = {"canonical", "next", "prev", "alternate", "license", "author", "help", "search"}
"""Values of ``rel`` with which a ``link`` is a link, not something that the browser loads."""

_VERBATIM = {"pre", "code", "script", "style", "textarea"}
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")


class _Page(HTMLParser):
    """What one HTML file declares and asks for.

    ``wanted`` holds (":" and the line, address, whether the browser loads it).
    """

    def __init__(self) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.wanted: list[tuple[str, str, bool]] = []
        self.undefined: list[int] = []
        self._verbatim: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VERBATIM:
            self._verbatim.append(tag)
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids[values["id"]] += 1
        for name, value in values.items():
            self._attribute(tag, name, value, values)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._verbatim:
            while self._verbatim.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if "style" in self._verbatim:
            self._wants_css(data)
        elif not self._verbatim and "][" in data:
            self.undefined.append(self.getpos()[0])

    def _attribute(self, tag: str, name: str, value: str, values: dict[str, str]) -> None:
        if name == "src":
            self._wants(value, loaded=True)
        elif name == "href":
            kinds = set(values.get("rel", "").lower().split())
            self._wants(value, loaded=tag == "link" and not kinds & _NO_ASSETS)
        elif name == "style":
            self._wants_css(value)

    def _wants(self, address: str, *, loaded: bool) -> None:
        self.wanted.append((f":{self.getpos()[0]}", address.strip(), loaded))

    def _wants_css(self, text: str) -> None:
        for address in _css_addresses(text):
            self._wants(address, loaded=True)


def check_site(root: Path) -> tuple[list[str], int, int]:
    """Check every HTML and CSS file under ``root``.

    Returns:
        The problems, one line each; the number of pages; the number of
        addresses looked at.
    """
    pages: dict[str, _Page] = {}
    for file in sorted(root.rglob("*.html")):
        page = _Page()
        page.feed(file.read_text(encoding="utf-8"))
        page.close()
        pages[file.relative_to(root).as_posix()] = page
    files = {file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file()}
    problems = []
    for path, page in pages.items():
        twice = [(name, n) for name, n in page.ids.items() if n > 1]
        problems += [f"{path}: the id {name} stands {n} times" for name, n in twice]
        problems += [
            f"{path}:{line}: an undefined reference link (`][`)" for line in page.undefined
        ]
    wanted = {path: page.wanted for path, page in pages.items()}
    for path in sorted(path for path in files if path.endswith(".css")):
        addresses = _css_addresses((root / path).read_text(encoding="utf-8"))
        wanted[path] = [("", address, True) for address in addresses]
    for path, each in wanted.items():
        for place, address, loaded in each:
            if reason := _wrong(path, address, loaded, files, pages):
                problems.append(f"{path}{place}: {reason}: {address}")
    return problems, len(pages), sum(map(len, wanted.values()))


def _wrong(
    path: str, address: str, loaded: bool, files: set[str], pages: dict[str, _Page]
) -> str | None:
    """Say what is wrong with an address that ``path`` holds, or None."""
    parts = urlsplit(address)
    if parts.scheme in ("data", "javascript", "mailto") and not parts.netloc:
        return None
    if parts.scheme or parts.netloc:
        return "an asset from elsewhere" if loaded else None
    target = unquote(parts.path)
    base = "" if target.startswith("/") else posixpath.dirname(path)
    there = posixpath.normpath(posixpath.join(base, target.lstrip("/"))) if target else path
    if there not in files:
        there = posixpath.normpath(posixpath.join(there, "index.html"))
    if there not in files:
        return "a dead image or file" if loaded else "a dead link"
    fragment = unquote(parts.fragment)
    if fragment and there in pages and fragment not in pages[there].ids:
        return "a dead anchor"
    return None


def _css_addresses(text: str) -> Iterator[str]:
    for match in _CSS_URL.finditer(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        yield (match[1] or match[2]).strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; see the module for the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.site.check", description="Check the built site."
    )
    parser.add_argument("site", type=Path, help="the folder with the built HTML, e.g. build/site")
    options = parser.parse_args(arguments)
    if not options.site.is_dir():
        parser.error(f"no folder {options.site}")
    problems, pages, count = check_site(options.site)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems or not pages:
        print(f"check_site: {len(problems)} problems on {pages} pages", file=sys.stderr)
        return 1
    print(f"check_site: {pages} pages, {count} addresses, no problem")
    return 0


if __name__ == "__main__":
    sys.exit(main())
