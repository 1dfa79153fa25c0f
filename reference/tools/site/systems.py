"""The pages of the systems: what each that claims no contract did with the cases it was asked.

Each file of ``tests/systems/reports`` is a page; ``nox -s systems -- --record`` writes them. The
names stand in the order of the alphabet: a survey has no score. ``assets/systems.js`` shows a case
with what the system answered, once a reader opens it.
"""

import html
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from commoncall_kit.verdict.survey import described, differing, shortened
from tools.law.text import CONTRACTS
from tools.site.book import Book, Pages, Record, grouped, leaf, written
from tools.site.cases import Case
from tools.site.markdown import (
    code,
    escape,
    facts,
    folded,
    html_link,
    link,
    listed,
    plural,
    prose,
    table,
    unsearched,
)

PAGE = "systems/index.md"
SCENARIOS = "systems/scenarios.md"
REPORTS = "tests/systems/reports"
NOT_RUN = "tests/systems/not-run.json"
READINGS = "tests/systems/readings.json"
BORROWED = ("follows", "not compared")
"""Readings of requirements that have no rows of their own."""
HISTORY = "tests/systems/history.jsonl"
SERVERS = "tests/evidence/servers/live.json"
NOT_OURS = "tests/evidence/servers/not-ours.json"

CONTENT = "content"
"""The member that says what is shown; the others say what is run."""

AS_DESCRIBED = "EXT-116"
"""It binds the data of a dialect to its reader: beside another requirement it says nothing."""

MEMBERS = {"EXT-165": "unreadable", "EXT-166": "removed"}
"""Requirements that are about one member of a result: a survey that leaves it out says nothing."""

ENDS = {"broken": "broken", "raised": "raised an exception", "no_answer": "no answer"}

ENDINGS = (("✓", "kept"), ("◐", "kept but for the content"), ("✗", "not kept"))
"""What a requirement came to in a system, by the worst of its cases: a mark and words."""

COLOURS = ("takes", "restricts", "refuses")

OFFERED = {
    "compared": "members",
    "without white space": "blank",
    "dialects": "dialects",
    "formats": "formats",
    "left to its caller": "leaves",
}
"""The members of what a system offers of an operation that are lists, as the page calls them."""


CHOSEN = {"diagnostics"}
"""Features that bind nobody who has not chosen them, as no system has that was asked."""


class Survey:
    """A report of a system, and what it says.

    Attributes:
        differs: the members in which each broken case differs, as far as the report holds them.
        worst: how the cases of each requirement ended, the worst of 0 kept, 1 differs in the
            content, 2 differs in more.
    """

    def __init__(self, book: Book, name: str) -> None:
        self.record: Record = book.record(f"{REPORTS}/{name}.json", "systems")
        self.system, self.page = self.record["system"], f"systems/{name}.md"
        self.title = escape(self.system["title"])
        self.link = link(self.page, self.title)
        made = self.record["implementation"]
        self.version = escape(made["version"]) if made else "not started"
        self.differs = dict(self._differing(book))
        ends = dict.fromkeys(self.record["kept"], 0)
        ends |= {each: 1 + (self.differs.get(each) != [CONTENT]) for each in self.record["others"]}
        self.worst: dict[str, int] = defaultdict(int)
        for case in (book.cases[each] for each in ends.keys() & book.cases.keys()):
            for requirement in self._decided(case):
                if book.spec.requirements[requirement].feature in CHOSEN:
                    continue
                self.worst[requirement] = max(self.worst[requirement], ends[case.id])

    def _differing(self, book: Book) -> Iterator[tuple[str, Sequence[str]]]:
        offers = described(self.system).offers
        for name, other in self.record["others"].items():
            if "answer" in other and name in book.cases:
                expected = shortened(book.cases[name].data["expect"]["result"])
                yield name, differing(expected, other["answer"], offers[name.rpartition(".")[0]])

    def _decided(self, case: Case) -> Iterator[str]:
        """Yield the requirements of a case about which a survey says something."""
        offer = self.system["operations"][case.id.rpartition(".")[0]]
        compared = {path.partition("/")[0] for path in offer["members"]}
        for each in case.requirements:
            shadowed = each == AS_DESCRIBED and len(case.requirements) > 1
            if not shadowed and MEMBERS.get(each) in {None, *compared}:
                yield each


@cache
def surveys(book: Book) -> Sequence[Survey]:
    """Return the surveys in the order of the alphabet."""
    made = (Survey(book, path.stem) for path in (book.root / REPORTS).glob("*.json"))
    return sorted(made, key=lambda one: str(one.system["title"]).lower())


@cache
def history(book: Book) -> Mapping[str, Sequence[Record]]:
    """Return what the surveys of each system came to, in the order of time."""
    lines = (book.root / HISTORY).read_text(encoding="utf-8").splitlines()
    return grouped((one["system"], one) for one in map(json.loads, lines))


def pages(book: Book) -> Pages:
    """Return the pages; the reports stand beside them."""
    paths = sorted((book.root / REPORTS).glob("*.json"))
    return {
        PAGE: _index(book),
        SCENARIOS: written(SCENARIOS),
        **{one.page: _system(book, one) for one in surveys(book)},
        **{f"systems/{path.name}": path.read_text("utf-8") for path in paths},
    }


def _index(book: Book) -> str:
    head = ["system", "kept", "of", "in the content alone", "not offered", "asked of", "version"]
    rows = [
        [
            f"{one.link}<br><small>{escape(one.system['project'])}</small>",
            _bar(len(one.record["kept"]), len(one.record["others"])),
            len(one.record["kept"]) + len(one.record["others"]),
            sum(differs == [CONTENT] for differs in one.differs.values()),
            f"<small>{sum(one.record['not_offered'].values()):,}</small>",
            ", ".join(map(code, one.system["operations"])),
            one.version,
        ]
        for one in surveys(book)
    ]
    absent = [[escape(one["system"]), prose(one["why"])] for one in book.record(NOT_RUN, "systems")]
    made = {
        "matrix": _matrix(book),
        "systems": table(head, rows),
        "readings": _readings(book),
        "servers": _servers(book),
        "absent": table(["system", "why"], absent),
    }
    return written(PAGE, **made)


def _bar(kept: int, others: int) -> str:
    """How many cases are kept, as a bar and as a number."""
    part = round(100 * kept / max(kept + others, 1))
    return f'<span class="cc-bar"><i style="width:{part}%"></i></span> {kept:,}'


def _matrix(book: Book) -> Iterator[str]:
    """Yield a table of requirements and systems for each contract, as raw HTML.

    A requirement whose rows are those of another, or of what no survey compares, would be a mark
    that no system has earned.
    """
    others = {
        one["requirement"] for one in book.record(READINGS, "systems") if one["reading"] in BORROWED
    }
    own = [one for one in book.spec.requirements.values() if one.id not in others]
    for contract in CONTRACTS.values():
        ones = [one for one in own if one.contract == contract]
        asked = [each for each in surveys(book) if any(one.id in each.worst for one in ones)]
        found = (one for one in ones if any(one.id in each.worst for each in asked))
        rows = sorted(found, key=lambda one: one.id)
        if rows:
            heads = "".join(
                f'<th scope="col">{html_link(one.page, one.system["title"])}</th>' for one in asked
            )
            lines = [f"<thead><tr><th>requirement</th>{heads}</tr></thead>\n<tbody>"]
            for one in rows:
                named = html_link(leaf(one.id), f"{one.id} {one.title}")
                cells = "".join(_end(each, one.id) for each in asked)
                lines.append(f'<tr><th scope="row">{named}</th>{cells}</tr>')
            counts = f"{plural(len(rows), 'requirement')}, {plural(len(asked), 'system')}"
            body = "\n".join([*lines, "</tbody>"])
            yield (
                '<details class="cc-more" open data-search-exclude>'
                f"<summary>{contract}: {counts}</summary>\n"
                f'<div class="cc-matrix" tabindex="0"><table>\n{body}\n</table></div>\n</details>'
            )


def _end(survey: Survey, name: str) -> str:
    """A cell of the matrix; nothing where a system was not asked."""
    if name not in survey.worst:
        return "<td></td>"
    end = survey.worst[name]
    mark, said = ENDINGS[end]
    title = html.escape(f"{survey.system['title']}: {said}")
    return f'<td class="cc-{COLOURS[end]}" title="{title}">{mark}</td>'


def _readings(book: Book) -> str:
    """Return how a lawyer of those who do not keep a requirement would read it."""
    rows = [
        [
            escape(book.label(one["requirement"])),
            # The file has Markdown.
            "*{reading}*. {why}".format(**one).replace("|", "&#124;"),
        ]
        for one in book.record(READINGS, "systems")
        if one["requirement"] in book.spec.requirements
    ]
    return table(["requirement", "read as a lawyer of those who do not keep it would"], rows)


def _servers(book: Book) -> Iterator[str]:
    """Yield what running servers said to what `turn.prepare` lets out, and why some refuse it."""
    head = ["server", "flags", "profile", "asked on", "requests of cases", "refused"]
    rows = []
    for profile, found in book.record(SERVERS, "servers").items():
        refused = len(found["refused"])
        of_cases = sum(not name.isdecimal() for name in found["refused"])
        shown = link(f"profiles/{profile}.md", code(profile))
        row = [escape(found["server"]), code(found["flags"]), shown, found["date"]]
        counts = [found["golden"], of_cases, found["generated"], refused - of_cases]
        rows.append([*row, *counts])
    yield table([*head, "generated requests", "refused"], rows)
    reasons = book.record(NOT_OURS, "servers").items()
    cases = [[prose(why), ", ".join(f"`{name}`" for name in names)] for why, names in reasons]
    yield table(["why a request of a case is refused by one of them", "cases"], cases)


def _system(book: Book, survey: Survey) -> Iterator[str]:
    system, record, suite = survey.system, survey.record, survey.record["suite"]
    yield f"# {survey.title}"
    yield facts(
        link(PAGE, "Systems"),
        f"[{escape(system['project'])}]({system['home']})",
        f"package {code(system['package'])} {survey.version}",
        book.recorded(suite["digest"], record["date"], suite["version"]),
        link(f"systems/{system['name']}.json", "report as JSON"),
        f"{len(record['kept'])} cases kept, {len(record['others'])} not",
    )
    for name, offer in system["operations"].items():
        lists = {what: offer.get(member, ()) for what, member in OFFERED.items()}
        rows = [[what, ", ".join(map(code, names))] for what, names in lists.items() if names]
        yield unsearched(escape(name))
        yield prose(offer["mapping"])
        yield table(["what", "names"], rows)
    yield unsearched("Not offered")
    reasons = sorted(record["not_offered"].items())
    yield table(["why", "cases"], [[prose(why), many] for why, many in reasons])
    yield from _history(book, survey)
    yield unsearched("Not kept")
    for requirement, items in sorted(grouped(_others(book, survey)).items()):
        title = escape(book.label(requirement)) if requirement in book.law else requirement
        yield folded(f"{title}: {plural(len(items), 'case')}", listed(items))
    yield '<script src="../../assets/systems.js" defer></script>'


def _history(book: Book, survey: Survey) -> Iterator[str]:
    """Yield the surveys of a system so far, each beside what it changed.

    Only runs of the same cases are compared: what other cases find says nothing of a version.
    """
    last: dict[str, set[str]] = {}
    rows = []
    for run in history(book)[survey.system["name"]]:
        held, before = {*run["not_kept"]}, last.get(run["suite"])
        changes = [held - before, before - held] if before is not None else [set(), set()]
        ends = [run["kept"], sum(run.get(name, 0) for name in ENDS)]
        asked = code(run["suite"].removeprefix("sha256:")[:6])
        told = (", ".join(sorted(names)) for names in changes)
        rows.append([run["version"], run["date"], asked, *ends, *told])
        last[run["suite"]] = held
    yield unsearched("Surveys so far")
    yield "Two versions that were asked the same cases, those of one suite, are compared."
    head = ["version", "date", "suite", "cases kept", "not kept"]
    yield table([*head, "requirements not kept any more", "kept again"], rows)


def _others(book: Book, survey: Survey) -> Iterator[tuple[str, str]]:
    """Yield the cases that are not kept, by the requirement that each cites first."""
    for name, found in survey.record["others"].items():
        case = book.cases.get(name)
        said = f": {code(found['reason'])}" if "reason" in found else ""
        where = "".join(f", {code(path)}" for path in survey.differs.get(name, ()))
        item = f"{case.link if case else code(name)}, {ENDS[found['outcome']]}{said}{where}"
        if found["outcome"] == "broken" and case:
            item += f' <button class="cc-answer" data-case="{name}" hidden>show the answer</button>'
        yield case.requirements[0] if case else "others", item
