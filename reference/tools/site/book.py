"""What the pages draw on: the text piece by piece, the cases, and where all of it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from commoncall.kit.suite.data import SUMS, digest_of
from tools.fixtures.schemas import read_files
from tools.law import dialects, formats
from tools.law.profile_flags import read_flags
from tools.law.profiles import read_profiles
from tools.law.text import CONTRACTS, Definition, Page, Requirement, Spec, Withdrawn, read_spec
from tools.site import adr
from tools.site.adr import read_adrs
from tools.site.cases import citing, read_suites
from tools.site.markdown import SiteError, escape, in_form, move_links
from tools.site.places import locate

FIXTURES = "fixtures/v1"
TEMPLATES = "tests/evidence/templates"
FLAGS = "v1/payload.md#flag"
"""The definition with the table of flags."""

RENDER = "nox -s templates -- --record"

Law = Requirement | Definition | Withdrawn
"""What has a heading of its own in the text, and a page on the site."""

Record = Mapping[str, Any]
"""What a session found when it ran, as the repository keeps it."""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading: the quote without its bold title or mark, and the prose.

    ``chapter`` is name and anchor of the heading above, or empty.
    """

    quote: str
    prose: str
    chapter: tuple[str, str]


class Book:
    """What is read of the repository.

    Attributes:
        law: what has a section, by id, also of withdrawn requirements, or by key of a definition.
        sections: these sections; ``uses`` says who links one in its quote, or names it.
        leaves: the pages of them by their addresses in the text.
        cases: by id; ``citing`` has them by requirement.
        dialects: their descriptors by id; ``formats`` are the formats.
        line: to which suite the text belongs, as Markdown; ``version`` and ``digest`` are its own.

    Raises:
        SiteError: the text, a case, a profile or a record is out of form.
    """

    def __init__(self, root: Path) -> None:
        self.root, self.spec = root, read_spec(root)
        self.profiles, problems = read_profiles(root)
        self.dialects, faults = _by_id(root, dialects.PATTERN)
        self.formats, others = _by_id(root, formats.PATTERN)
        for problem in (*self.spec.problems, *problems, *faults, *others):
            raise SiteError(f"{problem} (the linter lists all problems)")
        spec = self.spec
        self.law: dict[str, Law] = {**spec.requirements, **spec.definitions, **spec.withdrawn}
        self.sections = _sections(spec, self.law)
        self.uses = _uses(spec, self.sections)
        self.leaves = {address_of(one): leaf(name) for name, one in self.law.items()}
        self.flags = read_flags(self.sections[FLAGS].quote) if FLAGS in self.sections else []
        self.suites = read_suites(root)
        self.cases = {case.id: case for suite in self.suites for case in suite.cases}
        self.citing = citing(self.suites)
        self.adrs = {one.id: one for one in read_adrs(root)}
        with in_form(f"{FIXTURES}: not a built suite"):
            manifest = json.loads((root / FIXTURES / "manifest.json").read_bytes())
            self.version = str(manifest["version"])
            self.digest = digest_of((root / FIXTURES / SUMS).read_bytes())
        self.line = f"This text belongs to suite {self.version} `{self.digest}`"

    @cached_property
    def templates(self) -> tuple[list[Record], Record]:
        """What the templates of models write, and the conversation that they were given.

        Raises:
            SiteError: there is no such record.
        """
        rendered = self.record(f"{TEMPLATES}/rendered.json", RENDER)
        given = self.record(f"{TEMPLATES}/conversations.json", RENDER)
        return [*rendered.values()], given["messages"]

    def record(self, path: str, command: str) -> Any:
        """Return a record.

        Raises:
            SiteError: there is none, or it is no JSON; the line names the command for it.
        """
        with in_form(f"{path}: no record that can be read; {command} writes it"):
            return json.loads((self.root / path).read_bytes())

    def recorded(self, digest: str, date: str, version: str = "") -> str:
        """Return when a run was recorded, and with which suite where that is another one."""
        if digest == self.digest:
            return f"recorded with this suite on {escape(date)}"
        suite = f"{escape(version)} {escape(digest)[:19]}".strip()
        return f"recorded with suite {suite} of {escape(date)}"

    def resolve(self, page: str, name: str) -> str | None:
        """Return where an id leads that stands on ``page``: the text stays within the text."""
        place = None
        if name in self.law:
            place = address_of(self.law[name]) if page in self.spec.pages else leaf(name)
        elif name in self.adrs and page != adr.PAGE:  # whose rows link their records by title
            place = self.adrs[name].path
        elif name in self.cases:
            place = self.cases[name].address
        return place if place != page else None

    def moved(
        self, text: str, source: str, page: str, instead: Mapping[str, str] | None = None
    ) -> str:
        """Return text of the file ``source`` of the repository for a page of the site."""
        where = partial(locate, self.root)
        return move_links(text, source=source, page=page, locate=where, instead=instead)

    def shown(self, text: str, source: str, page: str, here: Iterable[str] = ()) -> str:
        """Return text of ``source`` with links to leaves; what is ``here`` is linked in place."""
        whole = text.replace("](#", f"]({source.rpartition('/')[2]}#")
        inside = {key: f"{page}#def-{anchor_of(self.law[key])}" for key in here}
        return self.moved(whole, f"spec/{source}", page, {**self.leaves, **inside})

    def label(self, name: str) -> str:
        """Return what a list calls a requirement or definition."""
        one = self.spec.requirements.get(name)
        return f"{name} {one.title}" if one else self.spec.definitions[name].name


def by_contract(spec: Spec) -> Iterator[tuple[str, list[Requirement]]]:
    """Yield each contract that has requirements, and these."""
    for contract in CONTRACTS.values():
        found = [one for one in spec.requirements.values() if one.contract == contract]
        if found:
            yield contract, found


def anchor_of(one: Law) -> str:
    """Return the anchor in the text: an id leads there for ever."""
    return one.anchor if isinstance(one, Definition) else one.id.lower()


def address_of(one: Law) -> str:
    """Return where the text has it, e.g. ``v1/payload.md#pay-003``."""
    return f"{one.page}#{anchor_of(one)}"


def leaf(name: str) -> str:
    """Return the page of an id, or of a key: ``v1/payload.md#flag`` has ``d/payload.flag.md``."""
    path, hash_mark, anchor = name.partition("#")
    return f"d/{Path(path).stem}.{anchor}.md" if hash_mark else f"r/{name}.md"


def sections(page: Page, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each part of a page that begins with a heading: the index of its line, and its lines.

    ``text`` is that of the page, or has the same lines with other links.
    """
    lines = text.split("\n")
    starts = [0, *(part.line - 1 for part in page.sections), len(lines)]
    yield from ((start, lines[start:end]) for start, end in pairwise(starts) if start < end)


def _section_of(lines: Sequence[str], one: Law, chapter: tuple[str, str] = ("", "")) -> Section:
    """What stands below a heading, ``lines[0]``; the linter holds the text to its form.

    Only a definition has no line of facts.
    """
    below = "\n".join(lines[1:]).strip("\n")
    quote, _, rest = below.partition("\n\n") if below.startswith(">") else ("", "", below)
    if not isinstance(one, Definition):
        rest = rest.lstrip("\n").partition("\n")[2]
    bare = re.sub(r"\A> \*\*.*?\.\*\* ?", "> ", quote).removeprefix("> \n")
    return Section(bare, rest.strip("\n"), chapter)


def _sections(spec: Spec, law: Mapping[str, Law]) -> dict[str, Section]:
    at = {(one.page, one.line - 1): name for name, one in law.items()}
    found = {}
    for page in spec.pages.values():
        chapters = {
            one.line - 1: (one.heading, one.anchor) for one in page.sections if one.level == 2
        }
        chapter = ("", "")
        for start, lines in sections(page, page.text):
            chapter = chapters.get(start, chapter)
            if name := at.get((page.path, start)):
                found[name] = _section_of(lines, law[name], chapter)
    return found


def _uses(spec: Spec, found: Mapping[str, Section]) -> dict[str, list[str]]:
    """Who links a definition in the quote, or names a requirement in quote or prose."""
    uses: dict[str, list[str]] = {}
    kept: dict[str, Requirement | Definition] = {**spec.requirements, **spec.definitions}
    for user, one in kept.items():
        named = re.findall(r"\b[A-Z]{3}-[0-9]{3}\b", f"{found[user].quote}\n{found[user].prose}")
        for name in {*one.links, *named} & kept.keys() - {user}:
            uses.setdefault(name, []).append(user)
    return uses


def _by_id(root: Path, pattern: str) -> tuple[dict[str, Any], list[str]]:
    """The JSON files that a pattern finds by the id that is their name, and what is wrong."""
    files, problems = read_files(root, pattern)
    return {Path(path).name.removesuffix(".json"): each for path, each in files.items()}, problems
