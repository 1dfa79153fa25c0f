"""Markdown in, Markdown out: links made for the site, ids made into links.

Knows nothing of requirements, cases or schemas. What it writes needs no engine but Python-Markdown
with ``attr_list`` and ``md_in_html``. Until ``settled``, links are those of the whole site:
``site:v1/payload.md#pay-003``.
"""

import functools
import html
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from yaml import YAMLError

Locate = Callable[[str], str | None]
"""From a path in the repository, or from an id, to a path on the site; None when it shows none.

Raises ``LookupError`` when the repository has no such path."""

UNSEARCHED = "data-search-exclude=''"
"""The attribute of what the search does not know."""

_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~]")
_INLINE = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<tag><[^<>]*>)"
    r"|(?P<open>!?\[(?P<label>(?:[^\[\]`]|`[^`]*`)*)\]\()(?P<target>[^()\s]*)\)"
    r"|(?P<id>\b(?:[A-Z]{3}-[0-9]{3}|ADR-[0-9]{4})\b)",
    re.DOTALL,
)
_QUOTED = r"^[ ]{0,3}(?:>[ ]?)*"
_FENCED = rf"{_QUOTED}(?P<fence>`{{3,}}(?=[^`\n]*$)|~{{3,}})"
_BLOCK = re.compile(
    rf"{_FENCED}(?s:.*?)(?:{_QUOTED}(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|^#{1,6}\s.*"
    r"|(?:(?<=\n\n)|\A)</?[a-z]+[ >].*(?:\n.*\S.*)*"
    r"|(?P<text>^.*\S.*(?:\n(?!#{1,6}\s|[ ]{0,3}(?:>[ ]?)*(?:`{3,}[^`\n]*$|~{3,})).*\S.*)*)",
    re.MULTILINE,
)
"""What stands as it is, which are code fences, headings and raw HTML, or ``text``, a paragraph. Raw
HTML begins one, and ends at a blank line.
"""

_ROW = re.compile(r"^(?:> )?\|.*", re.MULTILINE)
_CODE = re.compile(r"`[^`]*`")
_SITE = re.compile(r'(\]\(|href=")site:([^)"]*)')
_relpath = functools.cache(posixpath.relpath)


class SiteError(Exception):
    """What stops the site from being built, as one line for people."""


@contextmanager
def in_form(what: str) -> Iterator[None]:
    """Turn the errors to which data out of form leads into a ``SiteError`` that says ``what``."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError, YAMLError) as error:
        raise SiteError(f"{what} ({error!r})") from None


def escape(text: str) -> str:
    """Return Markdown that shows ``text`` as it is, also inside a table cell or a heading."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", html.escape(text, quote=False))


def code(text: str) -> str:
    """Return ``text`` as inline code that may stand in a table cell."""
    return f"<code>{escape(text)}</code>"


def prose(text: str) -> str:
    """Return plain text with code spans, safe in a table cell."""
    pieces = re.split(r"`([^`]*)`", " ".join(text.split()))
    return "".join(code(one) if place % 2 else escape(one) for place, one in enumerate(pieces))


def unsearched(title: str, marks: str = "##") -> str:
    """Return the heading of a section of which the search knows nothing."""
    return f"{marks} {title} {{ {UNSEARCHED} }}"


def section(title: str, *parts: str) -> str:
    """Return a section of which the search knows nothing."""
    return "\n\n".join([unsearched(title), *parts])


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; the cells are Markdown, and columns of numbers stand at the right."""
    body = [*rows]
    columns = [*zip(*body, strict=True)] or [("",)] * len(head)
    filled = ([each for each in column if each != ""] for column in columns)
    numeric = (one and all(isinstance(each, int | float) for each in one) for one in filled)
    marks = ["---:" if one else "---" for one in numeric]
    lines = [head, marks, *([*map(_cell, row)] for row in body)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(each: object) -> str:
    return (
        f"{each:.3g}"
        if isinstance(each, float)
        else f"{each:,}"
        if isinstance(each, int)
        else str(each)
    )


def listed(items: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(f"- {item}" for item in items)


def columns(items: Iterable[str]) -> str:
    """Return a list in columns."""
    return f'<div class="cc-columns" markdown="1">\n\n{listed(items)}\n\n</div>'


def plural(count: int, noun: str) -> str:
    """Return ``1 case`` or ``2 cases``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def facts(*items: str) -> str:
    """Return a line of facts; the search knows what they are about."""
    return f"{' · '.join(items)}\n{{: .cc-facts {UNSEARCHED} }}"


def under_title(text: str, note: str) -> str:
    """Return a page with a note under its title."""
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{note}\n{rest}"


def filtered(text: str) -> str:
    """Return a table above which the script of the site puts a field to filter, and no search."""
    return f'<div class="cc-filtered" markdown="1" data-search-exclude>\n\n{text}\n\n</div>'


def folded(summary: str, text: str, classes: str = "cc-more") -> str:
    """Return Markdown that the reader unfolds, and of which the search knows nothing."""
    opening = f'<details markdown="1" class="{classes}" data-search-exclude>'
    return f"{opening}\n<summary>{summary}</summary>\n\n{text}\n\n</details>"


def link(target: str, label: str) -> str:
    """Return a link to a page of the site; ``label`` is Markdown."""
    return f"[{label}](site:{target})"


def html_link(target: str, label: str, more: str = "") -> str:
    """Return a link for raw HTML; ``label`` is text, and ``more`` has other attributes."""
    return f'<a {more}href="site:{target}">{html.escape(label)}</a>'


def settled(page: str, text: str) -> str:
    """Return the text of ``page`` with its links as they are from there."""

    def there(match: re.Match[str]) -> str:
        return match[1] + (relative if match[1] == "](" else relative_address)(page, match[2])

    return _SITE.sub(there, text)


def barred(text: str) -> str:
    """Return Markdown with ``|`` for its escape in the code of tables.

    Where the repository is read, a bar in code ends a cell; the engine of the site shows the sign
    before it.
    """

    def row(match: re.Match[str]) -> str:
        return _CODE.sub(lambda code: code[0].replace("\\|", "|"), match[0])

    return _ROW.sub(row, text)


def relative(source: str, target: str) -> str:
    """Return the link from the page ``source`` to ``target``, both Markdown paths on the site."""
    path, hash_mark, anchor = target.partition("#")
    if path in ("", source) and hash_mark:
        return f"#{anchor}"
    return _relpath(path, posixpath.dirname(source) or ".") + hash_mark + anchor


@functools.cache
def address(target: str) -> str:
    """Return what a browser asks for: ``v1/payload.md#pay-003`` becomes ``v1/payload/#pay-003``."""
    path, hash_mark, anchor = target.partition("#")
    folder = re.sub(r"(?<![^/])(?:index|README)\.md$", "", path)
    return re.sub(r"\.md$", "/", folder) + hash_mark + anchor


def relative_address(source: str, target: str) -> str:
    """Return the link from ``source`` to ``target`` for raw HTML, which no engine rewrites."""
    path, hash_mark, anchor = address(target).partition("#")
    there = _relpath(path or ".", address(source) or ".")
    return (there + "/" if not path or path.endswith("/") else there) + hash_mark + anchor


def move_links(
    text: str, source: str, locate: Locate, instead: Mapping[str, str] | None = None
) -> str:
    """Point the links of the repository file ``source`` at the site.

    A link to something that the site does not show keeps its label only. An address that
    ``instead`` has is replaced, e.g. that of a definition which stands on the page too.

    Raises:
        SiteError: a link to a file that does not exist.
    """

    def moved(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or re.match(r"[a-z][a-z0-9+.-]*:|#", target):
            return match[0]
        path, hash_mark, anchor = target.partition("#")
        try:
            found = locate(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
        except LookupError:
            raise SiteError(f"{source}: the link to {target} leads nowhere") from None
        there = f"{found}{hash_mark}{anchor}"
        there = (instead or {}).get(there, there)
        return match["label"] if found is None else f"{match['open']}site:{there})"

    return _inline(moved, text)


def link_ids(text: str, resolve: Locate) -> str:
    """Link the bare ids in Markdown, and those that are code; leave all else.

    The search does not know the short names of cases, which are many, and say nothing of the text.
    """

    def linked(match: re.Match[str]) -> str:
        known = None if match["open"] or match["tag"] else resolve(match[0].strip("`"))
        if known is None:
            return match[0]
        is_example = known.startswith("fixtures/") and "." not in match[0]
        return link(known, match[0]) + (f"{{ {UNSEARCHED} }}" if is_example else "")

    return _inline(linked, text)


def _inline(change: Callable[[re.Match[str]], str], text: str) -> str:
    return _BLOCK.sub(
        lambda block: _INLINE.sub(change, block[0]) if block["text"] else block[0], text
    )
