"""The page where an error message of an endpoint leads to what it is about, and to its rule.

The messages are the evidence of the profiles; what each refusal is stands in the law, in a table
that is read here.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from tools.site.book import Book, Pages, written
from tools.site.markdown import code, escape, link, prose, table

PAGE = "use/errors.md"
REFUSAL = "v1/payload.md#refusal"
CODES = "v1/codes.md#findings"

FLAGS: Mapping[str, str] = {
    "assistant_last": "the history ends with the assistant",
    "effort_beside_tools": "reasoning effort beside tools",
    "max_tools": "more tools than the endpoint takes",
    "opaque_required": "a signature or reasoning that is missing",
    "refused_choices": "a choice of a tool that the endpoint does not take",
    "refused_in_schemas": "a keyword or a form in the schema of a tool",
    "refused_thinking": "a choice of a tool while the model thinks",
}
"""The flags whose evidence is what an endpoint answers to an error."""

_ROW = re.compile(r"^\| (`.*`) \| (.*) \| (.*) \|$")
_NAME = re.compile(r"`([a-z_]+)`")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")

Refusal = tuple[list[str], str]
"""The codes that a refusal has, and what it is."""


def pages(book: Book) -> Pages:
    """Return the page."""
    told: defaultdict[str, list[tuple[str, Mapping[str, str]]]] = defaultdict(list)
    for name, profile in book.profiles.items():
        seen = profile.get("evidence", {})
        found = {**seen.get("refuses", {}), **{flag: seen.get(flag, ()) for flag in FLAGS}}
        for refusal, each in found.items():
            told[refusal] += ((name, one) for one in each)
    known = dict(_refusals(book))
    sections = (_section(name, *known[name], told[name]) for name in known if told[name])
    return {PAGE: written(PAGE, messages="\n\n".join(sections))}


def _refusals(book: Book) -> Iterator[tuple[str, Refusal]]:
    """Yield each refusal of the law and of flags; what one is that is a code, the code says."""
    meanings = {one.code: one.meaning for one in book.spec.codes.values() if one.kind == "findings"}
    law = book.spec.definitions.get(REFUSAL)
    for line in law.text.splitlines() if law else ():
        if row := _ROW.match(line):
            names, codes = _NAME.findall(row[1]), _NAME.findall(row[2])
            wheres = _LINK.sub(r"\1", row[3]).split("; ")
            for at, name in enumerate(names):
                where = wheres[min(at, len(wheres) - 1)]
                is_code = name in meanings
                yield name, (codes or [name] * is_code, meanings[name] if is_code else where)
    for name, what in FLAGS.items():
        yield name, ([], what)


def _section(name: str, codes: list[str], what: str, told: list[tuple[str, Any]]) -> str:
    by_message: defaultdict[str, list[str]] = defaultdict(list)
    for profile, one in told:
        by_message[one.get("says", "")].append(link(f"profiles/{profile}.md", code(profile)))
    rows = [[escape(said), ", ".join(dict.fromkeys(each))] for said, each in by_message.items()]
    named = ", ".join(link(CODES, code(one)) for one in codes)
    called = [f"`check` calls it {named}."] if named else []
    head = f"## {code(name)} <small>{prose(what)}</small>"
    return "\n\n".join([head, *called, table(["the endpoint says", "profiles"], rows)])
