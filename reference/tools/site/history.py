"""The changelog as a page, and the sets: what each froze, and what has changed since, computed."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from commoncall import spelled
from commoncall_kit.suite.data import case_digest
from tools.fixtures import sets
from tools.site.book import Book, Pages, Record, written
from tools.site.cases import Case, Suite
from tools.site.markdown import UNSEARCHED, SiteError, listed, unsearched

CHANGELOG = "CHANGELOG.md"
CHANGELOG_PAGE = "changelog.md"
PAGE = "sets.md"
_HEADING = re.compile(r"^(##+) \[?([^\]\n]*)\]?(.*)$", re.MULTILINE)


def pages(book: Book) -> Pages:
    """Return the changelog, and the page of the sets."""
    changes = book.moved((book.root / CHANGELOG).read_text(encoding="utf-8"), CHANGELOG)
    # The search finds the page, and the law as it is now: not what changed.
    unsought = _HEADING.sub(lambda found: unsearched(found[2] + found[3], found[1]), changes)
    return {CHANGELOG_PAGE: unsought, PAGE: _sets(book)}


def _sets(book: Book) -> Iterator[str]:
    found = (book.root / sets.FOLDER).glob("*.json")
    paths = sorted(found, key=lambda path: [*map(int, path.stem.split("."))], reverse=True)
    if not paths:
        raise SiteError(f"{sets.FOLDER}: there is no set")
    each = (part for path in paths for part in _set(json.loads(path.read_bytes()), book))
    yield written(PAGE, newest=paths[0].stem, sets=each)


def _set(held: Record, book: Book) -> Iterator[str]:
    law = {one["id"]: one["sha256"] for one in held["requirements"]}
    asked = {one["id"]: one["sha256"] for one in held["cases"]}
    now = {one.id: one.sha256 for one in book.spec.requirements.values()}
    frozen = f"Frozen by {held['version']}: {len(law)} requirements, {len(asked):,} cases."
    yield f"## {held['set']} {{ #set-{held['set']} {UNSEARCHED} }}"
    yield f"{frozen} Suite `{held['suite']}`\n{{: .cc-suite }}"
    kept = {name for name in law if now.get(name) == law[name]}
    yield f"{len(kept)} requirements say today what they said then, word for word."
    changed = law.keys() & now.keys() - kept
    fates = {
        "changed": changed,
        "new": now.keys() - law.keys(),
        "withdrawn": law.keys() - now.keys(),
    }
    for fate, names in fates.items():
        if names:
            yield f"**Requirements {fate}: {len(names)}**"
            contracts = groupby(sorted(names), key=lambda name: name[:3])
            yield listed(", ".join(each) for _, each in contracts)
    counts = Counter(
        _fate(asked.get(case.id), suite, case) for suite in book.suites for case in suite.cases
    )
    gone = (one["id"] for each in book.suites for one in each.withdrawn)
    counts["withdrawn"] = len(asked.keys() & {*gone})
    yield f"**Cases**: {', '.join(f'{count:,} {fate}' for fate, count in counts.items())}."


def _fate(then: str | None, suite: Suite, case: Case) -> str:
    """Say whether a case is as it was when a set froze it."""
    if then is None:
        return "new"
    # The digest is of what Python reads, where the spelling of numbers is not kept.
    now = case_digest(suite.operation, json.loads(spelled.encode(case.data)))
    return "as then" if then == now else "changed"
