"""Pages of the specification: requirements with facts, links and cases, and resolver pages.

Takes the text as it stands in ``spec/``; adds nothing that is normative.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile, takewhile

from tools.site.cases import Case, cases_section
from tools.site.markdown import Resolve, escape, headings, relative, relative_address
from tools.spec_text import Page, Requirement, Spec, Withdrawn

PREFIX = "commoncall:"
"""What stands before an id in a citation."""


def addresses(spec: Spec) -> dict[str, str]:
    """Return the address of each requirement on the site, e.g. ``v1/payload.md#pay-003``.

    Withdrawn ones have theirs too: an id leads somewhere for ever.
    """
    kept: list[Requirement | Withdrawn] = [*spec.requirements.values(), *spec.withdrawn.values()]
    return {one.id: f"{one.page}#{one.id.lower()}" for one in kept}


def requirement_page(
    spec: Spec, page: Page, text: str, cases: Mapping[str, Sequence[Case]], resolve: Resolve
) -> str:
    """Return ``text`` with each requirement set for reading; other sections stay as they are.

    ``text`` is the text of ``page``, line for line, with its links already moved.
    """
    by_line = {
        spec.requirements[name].line - 1: spec.requirements[name] for name in page.requirements
    }
    gone = {one.line - 1: one for one in spec.withdrawn.values() if one.page == page.path}
    out: list[str] = []
    for start, lines in _sections(text):
        if requirement := by_line.get(start):
            out += _requirement(requirement, lines, cases, resolve)
        elif withdrawn := gone.get(start):
            out += _withdrawn(withdrawn, lines, resolve)
        else:
            out += lines
    return "\n".join(out)


def sources_page(spec: Spec, page: Page, text: str) -> str:
    """Return ``text``, the page of the sources, with the requirements of each below its text."""
    where = addresses(spec)
    out: list[str] = []
    for _, lines in _sections(text):
        name = lines[0].lstrip("#").strip()
        links = [
            f"[{one.id}]({relative(page.path, where[one.id])})"
            for one in spec.requirements.values()
            if name in one.source
        ]
        out += lines
        if links:
            out += [f"Requirements: {', '.join(links)}", "{: .cc-facts }", ""]
    return "\n".join(out)


def resolver_page(requirement: Requirement | Withdrawn) -> str:
    """Return the HTML page at ``r/ID/`` that leads to the requirement.

    The link is relative, so that the site works under any address.
    """
    target = relative_address(
        f"r/{requirement.id}/index.md", f"{requirement.page}#{requirement.id.lower()}"
    )
    title = requirement.title if isinstance(requirement, Requirement) else "(withdrawn)"
    link, name = html.escape(target), html.escape(f"{requirement.id} {title}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{name}</title>\n"
        f'<meta http-equiv="refresh" content="0; url={link}">\n'
        '<meta name="robots" content="noindex">\n</head>\n'
        f'<body>\n<p><a href="{link}">{name}</a></p>\n</body>\n</html>\n'
    )


def _sections(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each heading with its lines, and what stands before the first.

    Each with the index of its first line.
    """
    lines = text.split("\n")
    starts = [heading.index for heading in headings(text)]
    for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        if start < end:
            yield start, lines[start:end]


def _requirement(
    requirement: Requirement,
    lines: list[str],
    cases: Mapping[str, Sequence[Case]],
    resolve: Resolve,
) -> list[str]:
    """The section anew: heading with title, quote without it, facts as links, prose, cases."""
    name = requirement.id
    level = lines[0].split(maxsplit=1)[0]
    after_heading = list(dropwhile(_blank, lines[1:]))
    quote = list(takewhile(_quoted, after_heading))
    after_quote = list(dropwhile(_blank, after_heading[len(quote) :]))
    # The facts are one line; the linter holds the text to that.
    prose = "\n".join(after_quote[1:]).strip("\n")
    sentence = quote[0].replace(f"**{requirement.title}.**", "", 1)
    shown = cases_section(cases.get(name, ()), requirement.page)
    return [
        f'<div class="cc-alias" id="{name}"></div>',
        "",
        f"{level} {name} {escape(requirement.title)} {{ #{name.lower()} }}",
        "",
        f"> {sentence.lstrip('> ')}",
        *quote[1:],
        "",
        _facts(requirement, resolve),
        "{: .cc-facts }",
        "",
        *([prose, ""] if prose else []),
        *([shown, ""] if shown else []),
    ]


def _withdrawn(gone: Withdrawn, lines: list[str], resolve: Resolve) -> list[str]:
    """The section of an id that is kept: the heading with both anchors, and what replaced it."""
    level = lines[0].split(maxsplit=1)[0]
    rest = list(dropwhile(_blank, lines[1:]))[1:]
    links = (
        f"[{name}]({relative(gone.page, target)})" if (target := resolve(name)) else name
        for name in gone.replaced_by
    )
    return [
        f'<div class="cc-alias" id="{gone.id}"></div>',
        "",
        f"{level} {gone.id} (withdrawn) {{ #{gone.id.lower()} }}",
        "",
        f"withdrawn {gone.since} · replaced by {', '.join(links) or 'nothing'}",
        "{: .cc-facts }",
        *rest,
    ]


def _blank(line: str) -> bool:
    return not line.strip()


def _quoted(line: str) -> bool:
    return line.startswith(">")


def _facts(requirement: Requirement, resolve: Resolve) -> str:
    def linked(name: str, target: str | None) -> str:
        return f"[{name}]({relative(requirement.page, target)})" if target else name

    facts = [requirement.level, requirement.feature, f"since {requirement.since}"]
    facts += [f"changed {version}" for version in requirement.changes]
    facts += [linked(name, resolve(name)) for name in requirement.adr]
    if requirement.source:
        sources = [linked(name, f"sources.md#{name}") for name in requirement.source]
        facts.append(f"source {', '.join(sources)}")
    if requirement.review:
        facts.append(f"by review: {escape(requirement.review)}")
    cite = PREFIX + requirement.id
    facts.append(
        f'<button type="button" class="cc-cite" title="Copy the citation" data-search-exclude '
        f'data-clipboard-text="{cite}">{cite}</button>'
    )
    return " · ".join(facts)
