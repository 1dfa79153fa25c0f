"""Pages of the specification: the law of a contract, each requirement short and with one example.

Takes the text as it stands in ``spec/``; adds nothing that is normative. What else there is to say
of one requirement or definition has a page of its own, to which its heading leads.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from tools.site.cases import Case, show_json
from tools.site.markdown import Resolve, escape, headings, relative
from tools.spec_text import INDEX_BEGIN, INDEX_END, Page, Requirement, Spec, Withdrawn

EXAMPLE_LENGTH = 700
"""Characters of a longer case do not stand under a requirement."""

SHOWN = ("input", "input_json", "env", "expect")
"""Members of a case that an example shows, as they stand in the suite."""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under the heading of a requirement or a definition, in lines of Markdown."""

    quote: tuple[str, ...]
    facts: str
    prose: str


def addresses(spec: Spec) -> dict[str, str]:
    """Return the address of each requirement on the site, e.g. ``v1/payload.md#pay-003``.

    Withdrawn ones have theirs too: an id leads somewhere for ever.
    """
    kept: list[Requirement | Withdrawn] = [*spec.requirements.values(), *spec.withdrawn.values()]
    return {one.id: f"{one.page}#{one.id.lower()}" for one in kept}


def leaf(name: str) -> str:
    """Return the page of one requirement or definition.

    ``name`` is an id or a key of ``Spec.definitions``: ``v1/payload.md#flag`` has
    ``d/payload.flag.md``.
    """
    path, hash_mark, anchor = name.partition("#")
    stem = path.rpartition("/")[2].removesuffix(".md")
    return f"d/{stem}.{anchor}.md" if hash_mark else f"r/{name}.md"


def contract_page(
    spec: Spec, page: Page, text: str, cases: Mapping[str, Sequence[Case]], resolve: Resolve
) -> str:
    """Return ``text`` with each requirement set for reading; other sections stay as they are.

    ``text`` is the text of ``page``, line for line, with its links already moved.
    """
    by_line = {
        spec.requirements[name].line - 1: spec.requirements[name] for name in page.requirements
    }
    gone = {one.line - 1: one for one in spec.withdrawn.values() if one.page == page.path}
    defined = {spec.definitions[key].line - 1: key for key in page.definitions}
    out: list[str] = []
    for start, lines in sections(text):
        if requirement := by_line.get(start):
            out += _requirement(requirement, lines, cases.get(requirement.id, ()), resolve)
        elif withdrawn := gone.get(start):
            out += _withdrawn(withdrawn, lines, resolve)
        elif key := defined.get(start):
            marks, name = lines[0].split(maxsplit=1)
            head = f"{marks} [{name.strip()}]({relative(page.path, leaf(key))})"
            bare = section_of(lines, facts=False)
            wide = " cc-wide" if any(line.startswith("> |") for line in lines) else ""
            out += [f'<div class="cc-req{wide}" markdown="1">', "", head, ""]
            out += [*bare.quote, "", bare.prose, "", "</div>", ""]
        else:
            out += lines
    return _folded(spec, page, "\n".join(out))


def sources_page(spec: Spec, page: Page, text: str) -> str:
    """Return ``text``, the page of the sources, with the requirements of each below its text."""
    where = addresses(spec)
    out: list[str] = []
    for _, lines in sections(text):
        name = lines[0].lstrip("#").strip()
        links = [
            f"[{one.id}]({relative(page.path, where[one.id])})"
            for one in spec.requirements.values()
            if name in one.source
        ]
        # No heading of the second level stands above these, and readers of outlines miss it.
        out += [lines[0].replace("### ", "## ", 1), *lines[1:]]
        if links:
            out += [f"Requirements: {', '.join(links)}", "{: .cc-facts }", ""]
    return "\n".join(out)


def sections(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each heading with its lines, and what stands before the first.

    Each with the index of its first line.
    """
    lines = text.split("\n")
    starts = [heading.index for heading in headings(text)]
    for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        if start < end:
            yield start, lines[start:end]


def section_of(lines: Sequence[str], *, facts: bool = True) -> Section:
    """Return the section below a heading, ``lines[0]``; only requirements have ``facts``.

    The quote comes without its bold title or mark. The facts are one line; the linter holds the
    text to that.
    """
    after_heading = list(dropwhile(_blank, lines[1:]))
    quote = list(takewhile(_quoted, after_heading))
    rest = list(dropwhile(_blank, after_heading[len(quote) :]))
    bare = quote[0].removeprefix(">").strip().partition(".**")[2].strip()
    kept = (f"> {bare}", *quote[1:]) if bare else tuple(quote[1:])
    line = rest.pop(0) if facts else ""
    return Section(kept, line, "\n".join(rest).strip("\n"))


def facts_of(requirement: Requirement, page: str, resolve: Resolve) -> list[str]:
    """Return the items of the facts line with links, for ``page``."""

    def linked(name: str, target: str | None) -> str:
        return f"[{name}]({relative(page, target)})" if target else name

    facts = [requirement.level, requirement.feature, f"since {requirement.since}"]
    facts += [f"changed {version}" for version in requirement.changes]
    facts += [linked(name, resolve(name)) for name in requirement.adr]
    if requirement.source:
        sources = [linked(name, f"sources.md#{name}") for name in requirement.source]
        facts.append(f"source {', '.join(sources)}")
    if requirement.review:
        facts.append(f"by review: {escape(requirement.review)}")
    return facts


def plural(count: int, noun: str) -> str:
    """Return ``1 case`` or ``2 cases``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _requirement(
    requirement: Requirement, lines: list[str], cases: Sequence[Case], resolve: Resolve
) -> list[str]:
    """The section anew: heading with title, facts as links, quote, prose, one example."""
    name, page = requirement.id, requirement.page
    level = lines[0].split(maxsplit=1)[0]
    section = section_of(lines)
    own = relative(page, leaf(name))
    # The level is the bold word of the sentence; its own page has the facts in full.
    facts = [] if requirement.feature == "core" else [requirement.feature]
    facts.append([f"since {requirement.since}", *(f"changed {v}" for v in requirement.changes)][-1])
    if requirement.review:
        facts.append(f"by review: {escape(requirement.review)}")
    if cases:
        facts.append(f"[{plural(len(cases), 'case')}]({own}#cases)")
    shown = _example(cases)
    wide = " cc-wide" if any(line.startswith("> |") for line in section.quote) else ""
    return [
        f'<div class="cc-req{wide}" id="{name}" markdown="1">',
        "",
        f"{level} [{name}]({own}) {escape(requirement.title)} {{ #{name.lower()} }}",
        "",
        " · ".join(facts),
        "{: .cc-facts }",
        "",
        *section.quote,
        "",
        *([section.prose, ""] if section.prose else []),
        *([shown, ""] if shown else []),
        "</div>",
        "",
    ]


def _example(cases: Sequence[Case]) -> str:
    """The shortest case that names the requirement first, in one folded block."""
    first = cases[0].requirements[0] if cases else ""
    shown = {
        case.title: show_json({name: case.data[name] for name in SHOWN if name in case.data})
        for case in cases
        if case.requirements[0] == first
    }
    title = min(shown, key=lambda each: len(shown[each]), default="")
    if not title or len(shown[title]) > EXAMPLE_LENGTH:
        return ""
    return (
        '<details class="cc-case" data-search-exclude>'
        f"<summary>Example: {html.escape(title)}</summary>"
        f'<pre class="cc-json">{html.escape(shown[title], quote=False)}</pre></details>'
    )


def _folded(spec: Spec, page: Page, text: str) -> str:
    """The page with its index folded, as links in columns."""
    begin, end = text.find(f"{INDEX_BEGIN}\n"), text.find(f"{INDEX_END}\n")
    if not 0 <= begin < end:
        return text
    kept = {one.id: f"{one.id} {html.escape(one.title)}" for one in spec.requirements.values()}
    links = {name.lower(): kept[name] for name in page.requirements}
    names = {one.anchor: one.name for one in map(spec.definitions.__getitem__, page.definitions)}
    counts, lists = [], []
    for noun, rows in (("requirement", links), ("definition", names)):
        if rows:
            counts.append(plural(len(rows), noun))
            shown = "".join(f'<a href="#{anchor}">{text}</a>' for anchor, text in rows.items())
            lists.append(f'<div class="cc-index">{shown}</div>')
    summary = f"Index: {' and '.join(counts)}"
    fold = (
        f'<details class="cc-more" data-search-exclude><summary>{summary}</summary>'
        f"{''.join(lists)}</details>\n"
    )
    return text[:begin] + fold + text[end + len(INDEX_END) :]


def _withdrawn(gone: Withdrawn, lines: list[str], resolve: Resolve) -> list[str]:
    """The section of an id that is kept: the heading with both anchors, and what replaced it."""
    level = lines[0].split(maxsplit=1)[0]
    rest = list(dropwhile(_blank, lines[1:]))[1:]
    return [
        f'<div class="cc-req" id="{gone.id}" markdown="1">',
        "",
        f"{level} [{gone.id}]({relative(gone.page, leaf(gone.id))}) {{ #{gone.id.lower()} }}",
        "",
        withdrawn_line(gone, gone.page, resolve),
        *rest,
        "",
        "</div>",
        "",
    ]


def withdrawn_line(gone: Withdrawn, page: str, resolve: Resolve) -> str:
    """Return ``withdrawn 0.2 · replaced by ...`` with links, for ``page``."""
    links = (
        f"[{name}]({relative(page, target)})" if (target := resolve(name)) else name
        for name in gone.replaced_by
    )
    return f"withdrawn {gone.since} · replaced by {', '.join(links) or 'nothing'}"


def _blank(line: str) -> bool:
    return not line.strip()


def _quoted(line: str) -> bool:
    return line.startswith(">")
