"""The changelog as a page, and the sets: what each froze, and what has changed since, computed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from commoncall.kit.suite import spelled
from commoncall.kit.suite.data import case_digest
from tools.fixtures import sets
from tools.site.book import Book
from tools.site.cases import Case, Suite
from tools.site.markdown import SiteError, in_form, unsearched

CHANGELOG = "CHANGELOG.md"
CHANGELOG_PAGE = "changelog.md"
PAGE = "sets.md"
_HEADING = re.compile("^(##+) (.*)$", re.MULTILINE)

INTRO = """# Sets

A release of a minor version freezes what it scores, by digest. [Versions](versioning.md) says
what that promises; `commoncall conformance --set {newest}` holds a port to the newest one. The
files are in [the bundle](download.md). Below, this text and these cases stand beside each set."""


def pages(book: Book) -> dict[str, str]:
    """Return the changelog, and the page of the sets, newest first, by path on the site."""
    with in_form(f"{CHANGELOG}: it cannot be read"):
        log = (book.root / CHANGELOG).read_text(encoding="utf-8")
    found = (book.root / sets.FOLDER).glob("*.json")
    paths = sorted(found, key=lambda path: [*map(int, path.stem.split("."))], reverse=True)
    if not paths:
        raise SiteError(f"{sets.FOLDER}: there is no set")
    parts = [INTRO.format(newest=paths[0].stem)]
    for path in paths:
        with in_form(f"{sets.FOLDER / path.name}: not a set"):
            parts += _set(json.loads(path.read_bytes()), book)
    changes = book.moved(log, CHANGELOG, CHANGELOG_PAGE)
    # The search finds the page, and the law as it is now: not what changed.
    unsought = _HEADING.sub(lambda heading: unsearched(*heading.groups()), changes)
    return {CHANGELOG_PAGE: unsought, PAGE: "\n\n".join(parts)}


def _set(held: Mapping[str, Any], book: Book) -> Iterator[str]:
    law = {one["id"]: one["sha256"] for one in held["requirements"]}
    asked = {one["id"]: one["sha256"] for one in held["cases"]}
    now = {one.id: one.sha256 for one in book.spec.requirements.values()}
    frozen = f"Frozen by {held['version']}: {len(law)} requirements, {len(asked)} cases."
    yield f"## {held['set']} {{ #set-{held['set']} }}"
    yield f"{frozen} Suite `{held['suite']}`\n{{: .cc-suite }}"
    kept = {name for name in law if now.get(name) == law[name]}
    yield f"{len(kept)} requirements say today what they said then, word for word."
    yield from _ids("changed", law.keys() & now.keys() - kept)
    yield from _ids("new", now.keys() - law.keys())
    yield from _ids("withdrawn", law.keys() - now.keys())
    yield _cases(asked, book.suites)


def _ids(what: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the requirements of one fate, a line for each contract."""
    found = [list(each) for _, each in groupby(sorted(names), key=lambda name: name[:3])]
    if found:
        yield f"**Requirements {what}: {sum(map(len, found))}**"
        yield "\n".join(f"- {', '.join(each)}" for each in found)


def _cases(asked: Mapping[str, str], suites: Sequence[Suite]) -> str:
    """Say how many cases are as they were, changed, new and withdrawn."""
    fates = Counter(
        _fate(asked.get(case.id), suite, case) for suite in suites for case in suite.cases
    )
    fates["withdrawn"] = sum(gone["id"] in asked for suite in suites for gone in suite.withdrawn)
    return f"**Cases**: {', '.join(f'{count:,} {fate}' for fate, count in fates.items())}."


def _fate(then: str | None, suite: Suite, case: Case) -> str:
    if then is None:
        return "new"
    # The digest is of what Python reads, where the spelling of numbers is not kept.
    now = case_digest(suite.operation, json.loads(spelled.encode(case.data)))
    return "as then" if then == now else "changed"
