"""The changelog as a page, and the sets: what each froze, and what has changed since, computed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from commoncall.kit.data import case_digest
from tools import sets
from tools.site.book import Book
from tools.site.cases import Suite, json_of
from tools.site.markdown import SiteError, escape, link, table
from tools.spec_text import Spec

CHANGELOG: Final = "CHANGELOG.md"
CHANGELOG_PAGE: Final = "changelog.md"
PAGE: Final = "sets.md"

INTRO: Final = """# Sets

A release of a minor version freezes what it scores, by digest. [Versions](versioning.md) says
what that promises; `commoncall conformance --set {newest}` holds a port to the newest one. The
files are in [the bundle](download.md). Below, this text and these cases stand beside each set."""


def pages(book: Book) -> dict[str, str]:
    """Return the changelog, and the page of the sets, newest first, by path on the site.

    Raises:
        SiteError: there is no changelog or no set, or a set is out of form.
    """
    try:
        log = (book.root / CHANGELOG).read_text(encoding="utf-8")
    except OSError as error:
        raise SiteError(f"{CHANGELOG}: {error.strerror}") from None
    paths = sorted((book.root / sets.FOLDER).glob("*.json"), key=_number, reverse=True)
    if not paths:
        raise SiteError(f"{sets.FOLDER}: there is no set")
    parts = [INTRO.format(newest=paths[0].stem)]
    for path in paths:
        try:
            parts += _set(json.loads(path.read_bytes()), book.spec, book.suites)
        except (ValueError, LookupError, TypeError) as error:
            raise SiteError(f"{sets.FOLDER / path.name}: not a set ({error!r})") from None
    return {CHANGELOG_PAGE: book.moved(log, CHANGELOG, CHANGELOG_PAGE), PAGE: "\n\n".join(parts)}


def _set(held: Mapping[str, Any], spec: Spec, suites: Sequence[Suite]) -> Iterator[str]:
    """Yield the section of one set."""
    law = {one["id"]: one["sha256"] for one in held["requirements"]}
    asked = {one["id"]: one["sha256"] for one in held["cases"]}
    now = {one.id: one.sha256 for one in spec.requirements.values()}
    yield f"## {escape(held['set'])} {{ #set-{held['set']} }}"
    yield (
        f"Frozen by {escape(held['version'])}: {len(law)} requirements, {len(asked)} cases. "
        f"Suite `{held['suite']}`\n{{: .cc-suite }}"
    )
    kept = [name for name in law if now.get(name) == law[name]]
    yield f"{len(kept)} requirements say today what they said then, word for word."
    yield from _ids("changed", (name for name in law if name in now and now[name] != law[name]))
    yield from _ids("new", now.keys() - law.keys())
    yield from _ids("withdrawn", law.keys() - now.keys())
    yield from _cases(asked, suites)


def _ids(what: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the requirements of one fate, a line for each contract; the caller links the ids."""
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        found.setdefault(name[:3], []).append(name)
    if found:
        yield f"**Requirements {what}: {sum(map(len, found.values()))}**"
        yield "\n".join(f"- {', '.join(each)}" for each in found.values())


def _cases(asked: Mapping[str, str], suites: Sequence[Suite]) -> Iterator[str]:
    """Yield how many cases of each suite are as they were, changed, new and withdrawn."""
    rows, total = [], Counter[str]()
    for suite in suites:
        counts = Counter(
            "new"
            if case.id not in asked
            else "kept"
            if asked[case.id] == case_digest(suite.operation, json_of(case))
            else "changed"
            for case in suite.cases
        )
        counts["withdrawn"] = sum(gone["id"] in asked for gone in suite.withdrawn)
        total += counts
        if counts["changed"] or counts["new"] or counts["withdrawn"]:
            rows.append([link(PAGE, suite.page, escape(suite.name)), *_row(counts)])
    columns = ["as then", "changed", "new", "withdrawn"]
    yield f"**Cases as then: {total['kept']}**, and in the suites that are not the same:"
    yield table(["suite", *columns], [*rows, ["all suites", *_row(total)]])


def _row(counts: Counter[str]) -> list[str]:
    return [str(counts[name] or "") for name in ("kept", "changed", "new", "withdrawn")]


def _number(path: Path) -> tuple[int, ...]:
    return tuple(map(int, path.stem.split(".")))
