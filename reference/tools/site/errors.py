"""The page where an error message of an endpoint leads to what it is about, and to its rule.

The messages are the evidence of the profiles; what each refusal is stands in the law, in a table
that is read here.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.site.book import Book, Pages, written
from tools.site.markdown import code, escape, link, prose, table

PAGE = "use/errors.md"
REFUSAL = "v1/payload.md#refusal"
CODES = "v1/codes.md#findings"

FLAGS = (
    "assistant_last",
    "effort_beside_tools",
    "max_tools",
    "opaque_required",
    "refused_choices",
    "refused_in_schemas",
    "refused_thinking",
)
"""The flags whose evidence is what an endpoint answers to an error."""

CAUSES: Mapping[str, str] = json.loads(Path(__file__).with_name("causes.json").read_bytes())
"""What the endpoint was sent, in words for who has only its answer."""

_ROW = re.compile(r"^\| (`.*`) \| (.*) \| .* \|$")
_NAME = re.compile(r"`([a-z_]+)`")


def pages(book: Book) -> Pages:
    """Return the page."""
    told: defaultdict[str, list[tuple[str, Mapping[str, str]]]] = defaultdict(list)
    for name, profile in book.profiles.items():
        seen = profile.get("evidence", {})
        found = {**seen.get("refuses", {}), **{flag: seen.get(flag, ()) for flag in FLAGS}}
        for refusal, each in found.items():
            told[refusal] += ((name, one) for one in each)
    known = dict(_refusals(book))
    sections = (_section(name, known[name], told[name]) for name in known if told[name])
    return {PAGE: written(PAGE, messages="\n\n".join(sections))}


def _refusals(book: Book) -> Iterator[tuple[str, list[str]]]:
    """Yield each refusal of the law and of flags with the codes that it has."""
    findings = {one.code for one in book.spec.codes.values() if one.kind == "findings"}
    law = book.spec.definitions.get(REFUSAL)
    for line in law.text.splitlines() if law else ():
        if row := _ROW.match(line):
            codes = _NAME.findall(row[2])
            for name in _NAME.findall(row[1]):
                yield name, codes or [name] * (name in findings)
    yield from ((name, []) for name in FLAGS)


def _section(name: str, codes: list[str], told: list[tuple[str, Any]]) -> str:
    by_message: defaultdict[str, list[str]] = defaultdict(list)
    seen = set()
    for profile, one in told:
        said = one.get("says", "")
        # Nobody looks for a report that only says that it is the same.
        if profile not in seen or not said.startswith("the same"):
            by_message[said].append(link(f"profiles/{profile}.md", code(profile)))
        seen.add(profile)
    rows = [[escape(said), ", ".join(dict.fromkeys(each))] for said, each in by_message.items()]
    named = ", ".join(link(CODES, code(one)) for one in codes)
    called = [f"`check` calls it {named}."] if codes and codes != [name] else []
    head = f"## {code(name)} <small>{prose(CAUSES.get(name, ''))}</small>"
    return "\n\n".join([head, *called, table(["the endpoint says", "profiles"], rows)])
