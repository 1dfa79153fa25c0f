"""Decision records on the site: front matter becomes a line, and an index lists them.

The theme reads ``status`` in front matter as its own, so none reaches it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from tools.site.markdown import SiteError, escape, relative
from tools.spec_text import SOURCES_PAGE

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_TITLE = re.compile(r"^# +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Adr:
    """One decision record.

    ``path`` is its file, ``front`` its front matter as text, ``body`` what follows that.
    """

    id: str
    path: str
    title: str
    front: tuple[tuple[str, str], ...]
    body: str

    @property
    def status(self) -> str:
        """The status of the front matter, or nothing."""
        return dict(self.front).get("status", "")


def read_adrs(root: Path) -> list[Adr]:
    """Read ``adr/NNNN-*.md`` of ``root`` in order.

    Raises:
        SiteError: front matter that is no mapping, or no title.
    """
    return [
        _adr(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
        for file in sorted((root / "adr").glob("[0-9][0-9][0-9][0-9]-*.md"))
    ]


def adr_page(adr: Adr, sources: Sequence[str], moved: Callable[[str], str]) -> str:
    """Return the record with its front matter as a line below the title.

    ``sources`` are the names on the page of the sources; ``moved`` points links at the site.
    """

    def linked(match: re.Match[str]) -> str:
        name = match[0]
        target = relative(adr.path, f"{SOURCES_PAGE}#{name}")
        return f"[{name}]({target})" if name in sources else name

    facts = [f"[ADRs]({relative(adr.path, 'adr/index.md')})", adr.id]
    for name, value in adr.front:
        shown = re.sub(r"[a-z]+(?:-[a-z]+)+", linked, moved(escape(value)))
        if value:
            facts.append(shown if name == "status" else f"{escape(name)} {shown}")
    line = " · ".join(facts)
    return _TITLE.sub(
        lambda match: f"{match[0]}\n\n{line}\n{{: .cc-facts }}",
        moved(adr.body.lstrip("\n")),
        count=1,
    )


def adr_index(adrs: Sequence[Adr]) -> str:
    """Return the page that lists the records."""
    page = "adr/index.md"
    rows = [
        f"| {adr.id} | [{adr.title}]({relative(page, adr.path)}) | {escape(adr.status)} |"
        for adr in adrs
    ]
    return "\n".join(
        [
            "# Decision records",
            "",
            "Why the text says what it says, and what was rejected. The form is MADR 4.",
            "",
            "| number | title | status |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _adr(path: str, text: str) -> Adr:
    front: tuple[tuple[str, str], ...] = ()
    match = _FRONT.match(text)
    if match:
        try:
            # Every scalar stays the text that the author wrote, dates too.
            data = yaml.load(match[1], Loader=yaml.BaseLoader)
        except yaml.YAMLError:
            raise SiteError(f"{path}: the front matter is no YAML") from None
        if not isinstance(data, dict):
            raise SiteError(f"{path}: the front matter is no mapping")
        front = tuple((str(name), _flat(value)) for name, value in data.items())
    body = text[match.end() :] if match else text
    title = _TITLE.search(body)
    if title is None:
        raise SiteError(f"{path}: no title")
    number = path.split("/")[-1][:4]
    return Adr(
        f"ADR-{number}", path, re.sub(r"^(?:ADR[- ])?[0-9]{4}[.:]? +", "", title[1]), front, body
    )


def _flat(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
