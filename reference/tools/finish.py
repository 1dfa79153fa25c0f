"""Trim the built site, and check what is left: ``python -m tools.finish build/site``.

Takes out what nobody asks for: the theme indents its templates, and brings source maps and
languages that the search never loads; a sitemap has whole addresses, and the site does not know its
host. Then looks at the HTML that readers get, because the engine's strict mode passes duplicate
ids, links in raw HTML, undefined reference links and assets from elsewhere. Exit status: 0 clean, 1
problems or nothing to check, 2 usage.
"""

import argparse
import posixpath
import re
import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

UNUSED = ("**/*.map", "sitemap.xml*")
LANGUAGES = "assets/javascripts/lunr"
# The search joins characters and numbers of a node, and a digit can be of either: two become one.
_JOINED, _APART = "e=e+s+o.id}", 'e=e+s+o.id+","}'

_INDENTED = re.compile(r"(<(pre|textarea|script)\b.*?</\2>)|[ \t]*\n\s*", re.DOTALL)
"""What stands as it is, or a line feed with the white space around it."""

_NO_ASSETS = {"canonical", "next", "prev", "alternate", "license", "author", "help", "search"}
"""Values of ``rel`` with which a ``link`` is a link, not something that the browser loads."""

_TAG = re.compile(r"""<([a-z][a-z0-9-]*)((?:\s+[^\s<>"'=]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)""")
_ATTRIBUTE = re.compile(r"""([^\s"'=]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?""")
_READ = {"id", "src", "href", "rel", "style"}
_SCRIPT = re.compile(r"<!--.*?-->|<(script\b[^>]*)>.*?</script>", re.DOTALL)
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)
_VERBATIM = re.compile(r"<(pre|code|style|textarea)\b.*?</\1>|<[^>]*>", re.DOTALL)
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")

Wanted = tuple[str, bool]
"""An address, and whether the browser loads it."""


def trim(site: Path) -> int:
    """Trim a built site in place; return the bytes that it lost."""
    before = _size(site)
    for file in [file for pattern in UNUSED for file in site.glob(pattern)]:
        file.unlink()
    shutil.rmtree(site / LANGUAGES, ignore_errors=True)
    for file in site.rglob("*.html"):
        text = _INDENTED.sub(lambda one: one[1] or "\n", file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8")
    for file in site.rglob("*.js"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(_JOINED, _APART), encoding="utf-8")
    return before - _size(site)


def check_site(root: Path) -> tuple[list[str], int, int]:
    """Check every HTML and CSS file under ``root``.

    Returns:
        The problems, one line each; the number of pages; the number of addresses looked at.
    """
    files = {file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file()}
    problems: list[str] = []
    ids: dict[str, Counter[str]] = {}
    wanted: dict[str, list[Wanted]] = {}
    for path in sorted(file for file in files if file.endswith((".css", ".html"))):
        text = (root / path).read_text(encoding="utf-8")
        if path.endswith(".css"):
            wanted[path] = [*_css_addresses(text)]
            continue
        text = _SCRIPT.sub(lambda script: f"<{script[1]}>" if script[1] else "", text)
        ids[path], wanted[path] = _read(text)
        twice = ((name, count) for name, count in ids[path].items() if count > 1)
        problems += [f"{path}: the id {name} stands {count} times" for name, count in twice]
        if "][" in text and "][" in _VERBATIM.sub("", text):
            problems.append(f"{path}: an undefined reference link (`][`)")
    for path, each in wanted.items():
        wrong = ((_wrong(path, address, loaded, files, ids), address) for address, loaded in each)
        problems += [f"{path}: {reason}: {address}" for reason, address in wrong if reason]
    return problems, len(ids), sum(map(len, wanted.values()))


def _size(site: Path) -> int:
    return sum(file.stat().st_size for file in site.rglob("*") if file.is_file())


def _read(text: str) -> tuple[Counter[str], list[Wanted]]:
    """Return the ids that a page declares, and the addresses that it asks for."""
    ids: list[str] = []
    wanted = [each for style in _STYLE.findall(text) for each in _css_addresses(style)]
    for tag, attributes in _TAG.findall(text):
        if attributes:
            id, addresses = _of_tag(tag, attributes)
            ids += id
            wanted += addresses
    return Counter(ids), wanted


@cache
def _of_tag(tag: str, attributes: str) -> tuple[Sequence[str], Sequence[Wanted]]:
    """Return the id and the addresses of a tag; pages have most of their tags in common."""
    found = _ATTRIBUTE.findall(attributes)
    values = {name: unescape("".join(value)).strip() for name, *value in found if name in _READ}
    kinds = set(values.get("rel", "").lower().split())
    loaded = {"src": True, "href": tag == "link" and not kinds & _NO_ASSETS}
    wanted = [(values[name], loaded[name]) for name in loaded if name in values]
    wanted += _css_addresses(values.get("style", ""))
    return [values["id"]] if "id" in values else [], wanted


def _wrong(
    path: str, address: str, loaded: bool, files: Collection[str], ids: Mapping[str, Counter[str]]
) -> str | None:
    """Say what is wrong with an address that ``path`` holds, or None."""
    parts = urlsplit(address)
    if parts.scheme in ("data", "javascript", "mailto") and not parts.netloc:
        return None
    if parts.scheme or parts.netloc:
        return "an asset from elsewhere" if loaded else None
    there = _place(path.rpartition("/")[0], unquote(parts.path)) if parts.path else path
    if there not in files:
        there = _place(there, "index.html")
    if there not in files:
        return "a dead image or file" if loaded else "a dead link"
    fragment = unquote(parts.fragment)
    return "a dead anchor" if fragment and fragment not in ids.get(there, fragment) else None


@cache
def _place(folder: str, target: str) -> str:
    base = "" if target.startswith("/") else folder
    return posixpath.normpath(posixpath.join(base, target.lstrip("/")))


def _css_addresses(text: str) -> Iterator[Wanted]:
    for match in _CSS_URL.finditer(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        yield (match[1] or match[2]).strip(), True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; see the module for the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.finish", description="Trim and check the built site."
    )
    parser.add_argument("site", type=Path, help="the folder with the built HTML, e.g. build/site")
    site: Path = parser.parse_args(arguments).site
    if not site.is_dir():
        parser.error(f"no folder {site}")
    print(f"finish: {trim(site) / 1e6:.1f} MB less, {_size(site) / 1e6:.1f} MB are left")
    problems, pages, count = check_site(site)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems or not pages:
        print(f"finish: {len(problems)} problems on {pages} pages", file=sys.stderr)
        return 1
    print(f"finish: {pages} pages, {count} addresses, no problem")
    return 0


if __name__ == "__main__":
    sys.exit(main())
