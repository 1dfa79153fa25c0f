"""Write the site's Markdown to ``build/site-src``: ``python -m tools.site [--root DIR]``.

Gathers what the other files of this package make and decides where it stands. The result is plain
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
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from tools.coverage_lint import COVERAGE_PAGE
from tools.site import (
    adequacy,
    dialects,
    download,
    history,
    home,
    implementations,
    profiles,
    signature,
    speed,
)
from tools.site.adr import adr_index, adr_page, read_adrs
from tools.site.cases import (
    case_files,
    citing,
    fixtures_index,
    link_cases,
    read_suites,
    suite_page,
)
from tools.site.contract import addresses, contract_page, leaf, sources_page
from tools.site.definition import definition_page, leaves_index, read_book
from tools.site.markdown import SiteError, link_ids, move_links, with_anchors
from tools.site.requirement import requirement_page, withdrawn_page
from tools.site.schemas import read_schemas, schema_page, schemas_index, smallest_files
from tools.site.search import with_front_matter
from tools.spec_text import SOURCES_PAGE, read_spec

OUT = "build/site-src"
ASSETS = Path(__file__).parent / "assets"
FIXTURES_GUIDE = "fixtures/v1/README.md"
RAW = ("fixtures/v1", "schemas", "spec/v1/profiles")
"""Folders whose files are served as they are."""


def site_files(root: Path) -> dict[str, str | bytes]:
    """Return every file of the site's source by path: pages as text, raw files as bytes.

    Raises:
        SiteError: the text, a case, a schema or a link is out of form.
    """
    spec = read_spec(root)
    if spec.problems:
        count = len(spec.problems)
        raise SiteError(f"{spec.problems[0]} ({count} problems; the linter lists them)")
    suites, schemas, adrs = read_suites(root), read_schemas(root), read_adrs(root)
    raw = _raw_files(root)
    files: dict[str, str | bytes] = dict(raw)

    requirements = addresses(spec)
    ids = requirements | {adr.id: adr.path for adr in adrs}
    cases = {case.id: case.address for suite in suites for case in suite.cases}
    shown = {path: path for path in raw}
    data = _data_files(root)
    files |= data
    shown |= {f"spec/{path}": path for path in [*spec.pages, *data]} | {"spec": "index.md"}
    shown |= {schema.path: schema.page for schema in schemas}
    shown |= {suite.path: suite.page for suite in suites}
    shown |= {adr.path: adr.path for adr in adrs}
    shown |= {folder: f"{folder}/index.md" for folder in ("adr", "fixtures", "schemas")}
    shown |= {"schemas/v1": "schemas/index.md", "fixtures/v1": FIXTURES_GUIDE}
    shown[FIXTURES_GUIDE] = FIXTURES_GUIDE
    shown[history.CHANGELOG] = history.CHANGELOG_PAGE

    looked_up = profiles.pages(root, spec) | dialects.pages(root, spec.pages, suites)
    shown |= {f"spec/v1/{path.removesuffix('.md')}.json": path for path in looked_up}
    shown |= {"spec/v1/profiles": profiles.PAGE, "spec/v1/dialects": dialects.PAGE}

    def moved(text: str, source: str, page: str) -> str:
        locate = partial(_locate, root, shown)
        return move_links(text, source=source, page=page, locate=locate, resolve=ids.get)

    citations = citing(suites)
    for path, page in spec.pages.items():
        text = moved(page.text, f"spec/{path}", path)
        text = contract_page(spec, page, text, citations, ids.get)
        if path == COVERAGE_PAGE:
            text = link_cases(text, path, cases)
        if path == SOURCES_PAGE:
            text = sources_page(spec, page, text)
        if path == profiles.TEXT:
            text = profiles.with_link(text)
        if signature.is_law(page):
            text = signature.with_text(path, text)
        files[path] = with_anchors(text)
    version, digest = signature.suite(root)
    book = read_book(root, spec, moved, citations, adrs, version)
    for requirement in spec.requirements.values():
        files[leaf(requirement.id)] = requirement_page(book, requirement)
    for gone in spec.withdrawn.values():
        files[leaf(gone.id)] = withdrawn_page(book, gone)
    for key in spec.definitions:
        files[leaf(key)] = definition_page(book, key)
    for path in ("r/index.md", "d/index.md"):
        files[path] = leaves_index(book, path)
    for adr in adrs:
        move = partial(moved, source=adr.path, page=adr.path)
        files[adr.path] = with_anchors(adr_page(adr, spec.sources, move))
    smallest = smallest_files(root, schemas)
    for schema in schemas:
        text = schema_page(schema, schemas, suites, smallest.get(schema.path))
        files[schema.page] = link_ids(text, page=schema.page, resolve=ids.get)
    for path, text in looked_up.items():
        files[path] = with_anchors(link_ids(text, page=path, resolve=ids.get))
    schema_of = {schema.name.replace("/", "."): schema.page for schema in schemas}
    for suite in suites:
        files[suite.page] = suite_page(suite, requirements, schema_of.get(suite.operation))
    if (root / FIXTURES_GUIDE).exists():
        guide = (root / FIXTURES_GUIDE).read_text(encoding="utf-8")
        files[FIXTURES_GUIDE] = with_anchors(moved(guide, FIXTURES_GUIDE, FIXTURES_GUIDE))
    beside = [path for path in raw if path.startswith("fixtures/") and shown[path] == path]
    files["fixtures/index.md"] = fixtures_index(suites, beside)
    files["schemas/index.md"] = schemas_index(schemas)
    files["adr/index.md"] = adr_index(adrs)
    measured = speed.speed_page(root)
    files[speed.PAGE] = link_ids(measured, page=speed.PAGE, resolve=ids.get)
    shows = adequacy.adequacy_page(root, spec)
    files[adequacy.PAGE] = link_ids(shows, page=adequacy.PAGE, resolve=ids.get)
    if home.PAGE in spec.pages:
        text = moved(spec.pages[home.PAGE].text, f"spec/{home.PAGE}", home.PAGE)
        files[home.PAGE] = with_anchors(home.home_page(text, root, book, suites, ids.get))
    found = implementations.implementations_page(
        root, spec, {case.id: case for suite in suites for case in suite.cases}
    )
    files[implementations.PAGE] = link_ids(found, page=implementations.PAGE, resolve=ids.get)
    files |= case_files(suites, version)
    files |= download.files(root, version, digest)
    log = moved(history.changelog(root), history.CHANGELOG, history.CHANGELOG_PAGE)
    files[history.CHANGELOG_PAGE] = with_anchors(log)
    frozen = history.sets_page(root, spec, suites)
    files[history.PAGE] = link_ids(frozen, page=history.PAGE, resolve=ids.get)
    line = signature.suite_line(root)
    for path, content in files.items():
        if isinstance(content, str) and path.endswith(".md"):
            files[path] = with_front_matter(path, signature.signed(content, line))
    files |= signature.texts(spec, line)
    files |= {f"assets/{file.name}": file.read_bytes() for file in ASSETS.iterdir()}
    return files


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


def _raw_files(root: Path) -> dict[str, bytes]:
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for folder in RAW
        for file in sorted((root / folder).rglob("*"))
        if file.is_file() and file.suffix != ".md"
    }


def _data_files(root: Path) -> dict[str, bytes]:
    """Return the data beside the text by their paths on the site, where the text is the root."""
    spec = root / "spec"
    return {file.relative_to(spec).as_posix(): file.read_bytes() for file in spec.rglob("*.json")}


def _locate(root: Path, shown: Mapping[str, str], path: str) -> str | None:
    if path in shown:
        return shown[path]
    if not (root / path).exists():
        raise LookupError(path)
    return None


if __name__ == "__main__":
    sys.exit(main())
