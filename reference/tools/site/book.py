"""What the pages draw on: the text piece by piece, the cases, and where all of it stands."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from commoncall_kit.suite.data import SUMS, digest_of, number_of
from tools.fixtures.incidents import FILE as INCIDENTS
from tools.fixtures.schemas import read_files, read_schemas
from tools.fixtures.user_text import FILE
from tools.law.adrs import read_adrs
from tools.law.profile_flags import read_flags
from tools.law.text import (
    Definition,
    Page,
    Requirement,
    Section,
    Withdrawn,
    case_named,
    read_spec,
)
from tools.site.cases import read_suites
from tools.site.markdown import SiteError, escape, in_form, move_links
from tools.site.places import locate

ADRS = "adr/index.md"
FIXTURES = "fixtures/v1"
PROSE = Path(__file__).with_name("prose")
WORDINGS = "reference/tools/site/wordings"
"""The sentences of each set, which holds their digests alone; a release writes them."""

FLAGS = "v1/payload.md#flag"
"""The definition with the table of flags."""

T = TypeVar("T")
Law = Requirement | Definition | Withdrawn
"""What has a place of its own in the text, and a page on the site."""

Record = Mapping[str, Any]
"""What a session found when it ran, as the repository keeps it."""

Content = str | bytes | Iterable[str]
"""A page as Markdown, whole or in its parts, or a file as it is served."""

Pages = Mapping[str, Content]
"""By path on the site."""


class Passage(NamedTuple):
    """What stands under a heading: the quote without its bold title or mark, and the prose.

    ``chapter`` is name and anchor of the heading above, or empty.
    """

    quote: str
    prose: str
    chapter: tuple[str, str]


class Book:
    """What is read of the repository.

    Attributes:
        law: what has a heading, by id, also of withdrawn requirements, or by key of a definition.
        passages: what stands below these; ``uses`` says who links one in its quote, or names it.
        leaves: where a reader has them in full, by their addresses in the text.
        cases: by id; ``citing`` has them by requirement, those first that name it first.
            ``matched`` has those of extraction by the dialects that match, ``asked`` has all by
            their operations.
        profiles, dialects, formats: the files of these by id.
        operations: their names; each has a page.
        line: to which suite the text belongs, as Markdown; ``version`` and ``digest`` are its own.
            ``cited`` is the version in a citation.

    Raises:
        SiteError: the text, a case, a profile or a record is out of form.
    """

    def __init__(self, root: Path) -> None:
        self.root, self.spec = root, read_spec(root)
        spec, (files, problems) = self.spec, read_files(root, "spec/v1/*/*")
        for problem in [*spec.problems, *problems]:
            raise SiteError(f"{problem} (the linter lists all problems)")
        self.profiles, self.dialects, self.formats = (
            {path.stem: files[str(path)] for path in map(Path, files) if path.parent.name == kind}
            for kind in ("profiles", "dialects", "formats")
        )
        self.law: dict[str, Law] = {**spec.requirements, **spec.definitions, **spec.withdrawn}
        self._names = {(one.page, one.line): name for name, one in self.law.items()}
        self.passages = dict(self._passages())
        self.uses = grouped(self._uses())
        self.leaves = {address_of(one): leaf(name) for name, one in self.law.items()}
        self.flags = read_flags(self.passages[FLAGS].quote) if FLAGS in self.passages else []
        self.suites = read_suites(root)
        self.cases = {case.id: case for suite in self.suites for case in suite.cases}
        cases = self.cases.values()
        cited = [(name, case) for case in cases for name in case.requirements]
        self.citing = grouped(sorted(cited, key=lambda one: one[1].requirements[0] != one[0]))
        self.asked = grouped((case.id.rpartition(".")[0], case) for case in cases)
        self.matched = grouped((name, case) for case in cases for name in case.matched)
        with in_form("adr: not a decision record"):
            self.adrs = {one.id: one for one in read_adrs(root)}
        with in_form(f"{FIXTURES}: not a built suite"):
            self.manifest = json.loads((root / FIXTURES / "manifest.json").read_bytes())
            self.version = str(self.manifest["version"])
            self.operations = [str(each["operation"]) for each in self.manifest["operations"]]
            self.digest = digest_of((root / FIXTURES / SUMS).read_bytes())
        self.line = f"This text belongs to suite {self.version} `{self.digest}`"

    def citation(self, one: Requirement) -> str:
        """How to cite a requirement: with a version, where one that has its words is released."""
        released = one.released
        if not released and "dev" not in self.version:
            released = ".".join(self.version.split(".")[:2])
        version = f"CommonCall {released}, " if released else ""
        return f"commoncall:{one.id} ({version}sha256 {one.sha256[:8]})"

    @cached_property
    def schemas(self) -> Mapping[str, Any]:
        """The schemas by their ids."""
        read = read_schemas(self.root)
        for problem in read.problems:
            raise SiteError(": ".join(problem))
        return read.documents

    @cached_property
    def wordings(self) -> Mapping[str, Mapping[str, str]]:
        """The sentences that each requirement had, by the versions of sets, oldest first."""
        files = {file.stem: file for file in (self.root / WORDINGS).glob("*.json")}
        found: dict[str, dict[str, str]] = {}
        for version in sorted(files, key=number_of):
            for name, text in json.loads(files[version].read_bytes()).items():
                found.setdefault(name, {})[version] = text
        return found

    @cached_property
    def incidents(self) -> Sequence[Record]:
        """The ledger of what people reported, by id."""
        with in_form(f"{INCIDENTS}: cannot be read; nox -s fixtures -- --write writes it"):
            return cast(
                Sequence[Record], json.loads((self.root / INCIDENTS).read_bytes())["incidents"]
            )

    @cached_property
    def reported(self) -> Mapping[str, Sequence[Record]]:
        """The records of that ledger by the requirements that answer them."""
        return grouped((rule, one) for one in self.incidents for rule in one.get("rules", ()))

    @cached_property
    def user_text(self) -> Record:
        """What the commands of users know of codes, and of the requirements behind them."""
        with in_form(f"{FILE}: cannot be read; nox -s fixtures -- --write writes it"):
            return cast(Record, json.loads((self.root / FILE).read_bytes()))

    def record(self, path: str, session: str) -> Any:
        """Return a record.

        Raises:
            SiteError: there is none, or it is no JSON; the line names the command for it.
        """
        with in_form(f"{path}: no record that can be read; nox -s {session} -- --record writes it"):
            return json.loads((self.root / path).read_bytes())

    def recorded(self, digest: str, date: str, version: str = "") -> str:
        """Return when a run was recorded, and with which suite where that is another one."""
        if digest == self.digest:
            return f"recorded with this suite on {escape(date)}"
        suite = f"{escape(version)} {escape(digest)[:19]}".strip()
        return f"recorded with suite {suite} of {escape(date)}"

    def resolve(self, page: str, name: str) -> str | None:
        """Return where an id leads that stands on ``page``: the law stays within the law, and other
        pages lead to the page of the one rule.
        """
        place = None
        if name in self.law:
            text = self.spec.pages.get(page)
            is_law = text and (text.requirements or text.definitions)
            place = address_of(self.law[name]) if is_law else leaf(name)
        elif name in self.adrs and page != ADRS:  # whose rows link records by title
            place = self.adrs[name].path
        elif name in self.operations:
            place = f"o/{name}.md"
        elif case := self.cases.get(name) or self.cases.get(case_named(name)):
            place = case.address
        return place if place != page else None

    def moved(self, text: str, source: str, instead: Mapping[str, str] | None = None) -> str:
        """Return text of the file ``source`` of the repository for the site."""
        return move_links(text, source, partial(locate, self.root), instead)

    def shown(self, text: str, source: str, here: Iterable[str] = ()) -> str:
        """Return text of ``source`` with links to leaves; what is ``here`` is linked in place."""
        whole = text.replace("](#", f"]({source.rpartition('/')[2]}#")
        inside = {key: f"#def-{anchor_of(self.law[key])}" for key in here}
        return self.moved(whole, f"spec/{source}", {**self.leaves, **inside})

    def label(self, name: str) -> str:
        """Return what a list calls a requirement or definition."""
        one = self.spec.requirements.get(name)
        return f"{name} {one.title}" if one else self.spec.definitions[name].name

    def parts(self, page: Page, text: str) -> Iterator[tuple[str, Section, list[str]]]:
        """Yield the parts of a page that begin with a heading: whose it is, itself, its lines.

        ``text`` is that of the page, or has the same lines with other links.
        """
        lines = text.split("\n")
        starts = [*(part.line - 1 for part in page.sections), len(lines)]
        for part, (start, end) in zip(page.sections, pairwise(starts), strict=True):
            yield self._names.get((page.path, part.line), ""), part, lines[start:end]

    def _passages(self) -> Iterator[tuple[str, Passage]]:
        for page in self.spec.pages.values():
            chapter = ("", "")
            for name, part, lines in self.parts(page, page.text):
                if part.level == 2:
                    chapter = (part.heading, part.anchor)
                if name:
                    yield name, _passage(lines, self.law[name], chapter)

    def _uses(self) -> Iterator[tuple[str, str]]:
        """Who links a definition in the quote, or names a requirement in quote or prose."""
        kept: dict[str, Requirement | Definition] = self.spec.requirements | self.spec.definitions
        for user, one in kept.items():
            text = f"{self.passages[user].quote}\n{self.passages[user].prose}"
            named = re.findall(r"\b[A-Z]{3}-[0-9]{3}\b", text)
            for name in {*one.links, *named} & kept.keys() - {user}:
                yield name, user


def grouped(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Return what stands beside each name, in order; nothing beside one that is not there."""
    groups = defaultdict[str, list[T]](list)
    for name, each in pairs:
        groups[name].append(each)
    return groups


def written(page: str, **made: object) -> str:
    """Return a page as ``prose`` has it, with what is ``made`` in the places that it names."""
    whole = {
        name: "\n\n".join(each) if isinstance(each, Iterator) else each
        for name, each in made.items()
    }
    return (PROSE / page).read_text(encoding="utf-8").format_map(whole)


def anchor_of(one: Law) -> str:
    """Return the anchor in the text: an id leads there for ever."""
    return one.anchor if isinstance(one, Definition) else one.id.lower()


def address_of(one: Law) -> str:
    """Return where the text has it, e.g. ``v1/payload.md#pay-003``."""
    return f"{one.page}#{anchor_of(one)}"


def leaf(name: str) -> str:
    """Return the page of an id; a definition has its key in the text, where that leads."""
    return name if "#" in name else f"r/{name}.md"


def _passage(lines: Sequence[str], one: Law, chapter: tuple[str, str]) -> Passage:
    """What stands below a heading, ``lines[0]``; the linter holds the text to its form.

    Only a definition has no line of facts.
    """
    below = "\n".join(lines[1:]).strip("\n")
    quote, _, rest = below.partition("\n\n") if below.startswith(">") else ("", "", below)
    if not isinstance(one, Definition):
        rest = rest.lstrip("\n").partition("\n")[2]
    bare = re.sub(r"\A> \*\*.*?\.\*\* ?", "> ", quote).removeprefix("> \n")
    return Passage(bare, rest.strip("\n"), chapter)
