"""The profiles of endpoints for people: a grid of all, and a page for each with every flag.

What a flag is, its strict value and who reads it stand in the law, in a table that is read here.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools.law.profile_flags import Flag
from tools.site.book import Book, Pages, written
from tools.site.markdown import code, escape, facts, link, section, table

PAGE = "profiles/index.md"
LAW = "v1/payload.md"

LINK = re.compile(r"\[([^\]]*)\]\((#[^)]+)\)")
EVIDENCE = ("kind", "where", "says")
REFUSES = "refuses"
ISSUE = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")
ADDRESS = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+/\S+")


def pages(book: Book) -> Pages:
    """Return the grid and the page of each profile."""
    flags = [_with_users(book, flag) for flag in book.flags]
    made = {f"profiles/{name}.md": _page(one, flags) for name, one in book.profiles.items()}
    return {**made, PAGE: _grid(book)}


def _with_users(book: Book, flag: Flag) -> Flag:
    """The flag for another page; behind a definition stand the requirements that use it."""

    def moved(match: re.Match[str]) -> str:
        key = LAW + match[2]
        users = [one.id for one in book.spec.requirements.values() if key in one.links]
        return link(key, match[1]) + f" ({', '.join(users)})" * bool(users)

    cells = (LINK.sub(moved, cell) for cell in (flag.values, flag.strict, flag.readers))
    return Flag(flag.name, *cells)


def _grid(book: Book) -> str:
    stated = [one["flags"] for one in book.profiles.values()]
    columns = [flag.name for flag in book.flags if any(flag.name in flags for flags in stated)]
    rows = []
    for name, one in book.profiles.items():
        cells = (_value(one["flags"], flag) for flag in columns)
        rows.append([link(f"profiles/{name}.md", escape(name)), *cells])
    # A narrow column breaks the name of its flag between words.
    heads = [code(name).replace("&#95;", "&#95;<wbr>") for name in columns]
    return written(PAGE, profiles=table(["profile", *heads], rows))


def _page(profile: Mapping[str, Any], flags: Sequence[Flag]) -> Iterator[str]:
    name, stated = profile["profile"], profile["flags"]
    if unknown := stated.keys() - {flag.name for flag in flags}:
        raise LookupError(f"{LAW} has no flag {min(unknown)}")
    yield f"# {escape(name)} <small>{escape(profile['title'])}</small>"
    yield facts(
        link(PAGE, "Profiles"),
        f"revision {escape(profile['revision'])}",
        f"{len(stated)} of {len(flags)} flags stated",
        link(f"v1/profiles/{name}.json", "raw JSON"),
    )
    rows = []
    for flag in flags:
        has = flag.name in stated
        value = (_value(stated, flag.name), "**stated**") if has else (flag.strict, "strict")
        rows.append([code(flag.name), *value, flag.readers, flag.values])
    yield section("Flags", table(["flag", "value", "from", "read by", "values"], rows))
    found = {**profile["evidence"]}
    refused = found.pop(REFUSES, {})
    told = ((code(flag), one) for flag, each in found.items() for one in each)
    seen = ([flag, *evidence(one)] for flag, one in told)
    yield section("Evidence", table(["flag", *EVIDENCE], seen))
    told = ((code(name), one) for name, each in refused.items() for one in each)
    seen = ([name, *evidence(one), one["date"]] for name, one in told)
    yield section("What it refuses", table(["refusal", *EVIDENCE, "seen or read on"], seen))


def evidence(one: Mapping[str, str]) -> list[str]:
    """Return the cells of a row of evidence: a thread or an address is a link."""
    ref = one["ref"]
    shown = escape(ref)
    if issue := ISSUE.fullmatch(ref):
        shown = f"[{shown}](https://github.com/{issue[1]}/issues/{issue[2]})"
    elif ADDRESS.fullmatch(ref):
        shown = f"[{shown}](https://{ref})"
    return [escape(one["kind"]), shown, escape(one.get("says", ""))]


def _value(flags: Mapping[str, Any], name: str) -> str:
    """Return what a flag says; of what is refused, how much."""
    if name not in flags:
        return ""
    return f"{len(flags[name])} refusals" if name == REFUSES else code(json.dumps(flags[name]))
