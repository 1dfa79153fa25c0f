"""The profiles of endpoints for people: a grid of all in words and colours, and a page for each.

What a flag is, its strict value and who reads it stand in the law.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from commoncall_kit.suite.incidents import address
from tools.fixtures.authored import REPORT
from tools.site.book import Book, Pages, written
from tools.site.markdown import code, escape, facts, html_link, link, section, table

PAGE = "profiles/index.md"
EVIDENCE = ("kind", "where", "says")
REFUSES, SEEN = "refuses", "seen or read on"
HEADS = {
    "strict_field": "strict",
    "parallel_field": "parallel calls",
    "name_start": "name begins",
    "max_tools": "tools",
    "max_description": "descrip­tion",
    "content_beside_calls": "words by calls",
    "result_content": "result",
    "result_media": "media of results",
    "result_name": "name of result",
    "system_anywhere": "system later",
    "repeated_roles": "role twice",
    "calls_in_message": "calls at once",
    "opaque_members": "own members",
    "opaque_required": "required members",
    "readable_members": "read members",
    "root_keywords": "root of schemas",
    "refused_in_schemas": "in schemas",
    "refused_choices": "choices",
    "refused_members": "members",
    "refused_thinking": "while it thinks",
    "effort_beside_tools": "effort by tools",
}
"""A flag in the head of a narrow column, where its words are not its name."""

WORDS = {
    "uniform": "all or none",
    "word_64": "64 letters",
    "word_40": "40 letters",
    "alphanumeric_9": "exactly 9",
    "verbatim": "unchanged",
    "string": "text only",
    "one": "one",
    "call": "must be there",
}
"""A value as a reader says it."""

TAKES, RESTRICTS, REFUSED = "takes", "restricts", "refuses"
"""What a cell says of an endpoint, and the class of its colour."""

MARKS = {TAKES: "✓", RESTRICTS: "◐", REFUSED: "✗"}

ADDRESS = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+/\S+")


def pages(book: Book) -> Pages:
    """Return the grid and the page of each profile."""
    flags = [flag.name for flag in book.flags]
    made = {f"profiles/{name}.md": _page(one, flags) for name, one in book.profiles.items()}
    return {**made, PAGE: _grid(book)}


def _grid(book: Book) -> str:
    stated = [one["flags"] for one in book.profiles.values()]
    columns = [flag.name for flag in book.flags if any(flag.name in flags for flags in stated)]
    heads = "".join(f'<th scope="col" title="{name}">{_head(name)}</th>' for name in columns)
    rows = []
    for name, one in book.profiles.items():
        cells = "".join(_cell(flag, one["flags"]) for flag in columns)
        title, revised = html.escape(one["title"]), html.escape(one["revision"])
        named = f"{html_link(f'profiles/{name}.md', name)}<small>{title}</small>"
        seen = f'<td class="cc-of" data-head="revised">{revised}</td>'
        rows.append(f'<tr><th scope="row">{named}</th>{cells}{seen}</tr>')
    head = (
        f'<thead><tr><th scope="col">profile</th>{heads}<th scope="col">revised</th></tr></thead>'
    )
    # Raw HTML: on a phone each cell says what it is of.
    table = f"<table>\n{head}\n<tbody>\n{''.join(rows)}\n</tbody>\n</table>"
    return written(PAGE, profiles=f'<div class="cc-grid">\n{table}\n</div>')


def _head(flag: str) -> str:
    return html.escape(HEADS.get(flag, flag.replace("_", " ")))


def _cell(flag: str, flags: Mapping[str, object]) -> str:
    """A cell of the grid: a mark and a word; nothing where nobody knows."""
    if flag not in flags:
        return '<td class="cc-of"></td>'
    kind, word = said(flag, flags[flag])
    shown = f"{MARKS[kind]}&nbsp;{html.escape(word)}"
    return f'<td class="cc-{kind}" data-head="{_head(flag)}">{shown}</td>'


def said(flag: str, value: object) -> tuple[str, str]:
    """Return what an endpoint does by its value of a flag, and the word for it."""
    if flag == REFUSES and isinstance(value, list):
        return REFUSED, f"{len(value)} kinds"
    match value:
        case True:
            return TAKES, "yes"
        case "any" | None:  # a limit that is stated to be none
            return TAKES, "any"
        case False | "none":
            return REFUSED, "no"
        case list():
            return RESTRICTS, f"{len(value)} kept"
        case dict():  # members, each with what stands in it
            return RESTRICTS, ", ".join(value)
        case str():
            return RESTRICTS, WORDS.get(value, value)
        case _:
            return RESTRICTS, f"{value:,}"


def _page(profile: Mapping[str, Any], flags: Sequence[str]) -> Iterator[str]:
    name, stated = profile["profile"], profile["flags"]
    yield f"# {escape(name)} <small>{escape(profile['title'])}</small>"
    yield facts(
        link(PAGE, "Profiles"),
        f"revision {escape(profile['revision'])}",
        f"{len(stated)} of {len(flags)} flags stated",
        link("v1/payload.md#flag", "what each flag does"),
        link(f"v1/profiles/{name}.json", "raw JSON"),
    )
    rows = []
    for flag in sorted(stated, key=flags.index):
        held, (kind, _) = stated[flag], said(flag, stated[flag])
        value = f"{len(held)} refusals" if flag == REFUSES else code(json.dumps(held))
        rows.append([code(flag), value, f'<span class="cc-{kind}">{MARKS[kind]} {kind}</span>'])
    note = "What is not stated is not known: then the strict value of the flag counts."
    yield section("Flags", table(["flag", "value", "endpoint"], rows), note)
    found = {**profile["evidence"]}
    refused = found.pop(REFUSES, {})
    for title, head, each in (("Evidence", "flag", found), ("What it refuses", "refusal", refused)):
        seen = (
            [code(name), *evidence(one), one.get("date", profile["revision"])]
            for name, ones in each.items()
            for one in ones
        )
        yield section(title, table([head, *EVIDENCE, SEEN], seen))


def evidence(one: Mapping[str, str]) -> list[str]:
    """Return the cells of a row of evidence: a thread or an address is a link."""
    ref = one["ref"]
    shown = escape(ref)
    if REPORT.fullmatch(ref):
        shown = f"[{shown}]({address(ref)})"
    elif ADDRESS.fullmatch(ref):
        shown = f"[{shown}](https://{ref})"
    return [escape(one["kind"]), shown, escape(one.get("says", ""))]
