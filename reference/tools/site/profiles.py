"""The profiles of endpoints for people: a grid of all, and a page for each with every flag.

What a flag is, its strict value and who reads it stand in the law, in a table that is read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools.law.profile_flags import Flag
from tools.law.text import Requirement
from tools.site.book import Book
from tools.site.markdown import WIDE, code, escape, facts, in_form, table, unsearched

PAGE = "profiles/index.md"
LAW = "v1/payload.md"

LINK = re.compile(r"(\[[^\]]*\])\((#[^)]+)\)")
ISSUE = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")
ADDRESS = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+/\S+")

INTRO = f"""{WIDE}# Profiles of endpoints

What each endpoint is known to take. An empty cell is a flag that the file does not state: it has
its strict value. The [law](../v1/payload.md#flag) says what a flag does, and
[Profiles](../v1/profiles.md) how to use a file and how to add one."""


def pages(book: Book) -> dict[str, str]:
    """Return the grid and the page of each profile by path on the site."""
    shown = [_with_users(flag, book.spec.requirements) for flag in book.flags]
    made = {}
    for file in book.profiles:
        with in_form(f"{file.path.as_posix()}: not a profile"):
            made[f"profiles/{file.path.stem}.md"] = _page(file.document, shown)
    return {PAGE: _grid([file.document for file in book.profiles], book.flags)} | made


def _with_users(flag: Flag, requirements: Mapping[str, Requirement]) -> Flag:
    """The flag for another page; behind a definition stand the requirements that use it."""

    def moved(link: re.Match[str]) -> str:
        users = [one.id for one in requirements.values() if LAW + link[2] in one.links]
        return f"{link[1]}(../{LAW}{link[2]})" + f" ({', '.join(users)})" * bool(users)

    cells = (LINK.sub(moved, cell) for cell in (flag.values, flag.strict, flag.readers))
    return Flag(flag.name, *cells)


def _grid(profiles: Sequence[Mapping[str, Any]], flags: Sequence[Flag]) -> str:
    names = [flag.name for flag in flags]
    columns = [name for name in names if any(name in one["flags"] for one in profiles)]
    rows = []
    for one in profiles:
        cells = (_json(one["flags"][name]) if name in one["flags"] else "" for name in columns)
        rows.append([f"[{escape(one['profile'])}]({one['profile']}.md)", *cells])
    # A narrow column breaks the name of its flag between words.
    heads = [code(name).replace("&#95;", "&#95;<wbr>") for name in columns]
    return f"{INTRO}\n\n{table(['profile', *heads], rows)}"


def _page(profile: Mapping[str, Any], flags: Sequence[Flag]) -> str:
    name, stated = profile["profile"], profile["flags"]
    if unknown := stated.keys() - {flag.name for flag in flags}:
        raise LookupError(f"{LAW} has no flag {min(unknown)}")
    count, raw = f"{len(stated)} of {len(flags)} flags stated", f"../v1/profiles/{name}.json"
    revision = f"revision {escape(profile['revision'])}"
    told = facts("[Profiles](index.md)", revision, count, f"[raw JSON]({raw})")
    rows = []
    for flag in flags:
        value = (flag.strict, "strict")
        if flag.name in stated:
            value = (_json(stated[flag.name]), "**stated**")
        rows.append([code(flag.name), *value, flag.readers, flag.values])
    title = f"{WIDE}# {escape(name)} <small>{escape(profile['title'])}</small>"
    parts = [title, told, unsearched("##", "Flags")]
    parts += [
        table(["flag", "value", "from", "read by", "values"], rows),
        unsearched("##", "Evidence"),
    ]
    parts += [table(["flag", "kind", "where", "says"], _evidence(profile["evidence"]))]
    return "\n\n".join(parts)


def _evidence(evidence: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[list[str]]:
    for flag, found in evidence.items():
        for one in found:
            says = escape(one.get("says", ""))
            yield [code(flag), escape(one["kind"]), reference(one["ref"]), says]


def reference(ref: str) -> str:
    """Return a thread or an address as a link; the name of a release or a document as it is."""
    if issue := ISSUE.fullmatch(ref):
        return f"[{escape(ref)}](https://github.com/{issue[1]}/issues/{issue[2]})"
    return f"[{escape(ref)}](https://{ref})" if ADDRESS.fullmatch(ref) else escape(ref)


def _json(value: object) -> str:
    return code(json.dumps(value))
