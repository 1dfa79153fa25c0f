"""The pages of the systems: what each that claims no contract did with the cases it was asked.

Each file of ``tests/systems/reports`` is a page; ``nox -s systems -- --record`` writes them. The
names stand in the order of the alphabet: a survey has no score. ``assets/systems.js`` shows a case
with what the system answered, once a reader opens it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from commoncall.kit.verdict.survey import described, differing, shortened
from tools.law.text import Requirement
from tools.site.book import Book, Record, by_contract
from tools.site.cases import Case
from tools.site.markdown import (
    WIDE,
    code,
    escape,
    facts,
    folded,
    in_form,
    link,
    plural,
    prose,
    table,
)

PAGE = "systems/index.md"
REPORTS = "tests/systems/reports"
NOT_RUN = "tests/systems/not-run.json"
READINGS = "tests/systems/readings.json"
COMMAND = "nox -s systems -- --record"
SERVERS = "tests/evidence/servers/live.json"
NOT_OURS = "tests/evidence/servers/not-ours.json"
ASKED = "nox -s servers -- --record"

CONTENT = "content"
"""The member that says what is shown; the others say what is run."""

AS_DESCRIBED = "EXT-116"
"""It binds the data of a dialect to its reader: beside another requirement it says nothing."""

MEMBERS = {"EXT-165": "unreadable", "EXT-166": "removed"}
"""Requirements that are about one member of a result: a survey that leaves it out says nothing."""

ENDS = {"broken": "broken", "raised": "raised an exception", "no_answer": "no answer"}

INTRO = """# Systems

Parsers, runtimes and frameworks that people run, asked through small adapters what they do with
the cases. None of them claims a contract, and each is asked only for what it offers: a case is
*kept* where the members that are compared are as expected, and *not offered* where the system has
no place for what it needs. What is not kept is a difference, and not always a fault: a system can
want something else. There is no score. The [hardest findings](findings.md) have a page of
their own."""


SERVERS_INTRO = """What servers said on 127.0.0.1 to the requests that `turn.prepare` lets out under
their profiles: those of the inputs of all cases about requests and histories, and generated ones in
which any part can be wrong. A session asks them again; the tests make the requests again."""


def pages(book: Book) -> dict[str, str]:
    """Return the pages by their paths on the site; the reports stand beside them."""
    paths = sorted((book.root / REPORTS).glob("*.json"))
    records = [book.record(f"{REPORTS}/{path.name}", COMMAND) for path in paths]
    with in_form(f"{REPORTS}: not a record of a survey"):
        records = [{**record, "differs": _differing(book, record)} for record in records]
        made = {_page(record): _system(book, record) for record in records}
        raw = {f"systems/{path.name}": path.read_text("utf-8") for path in paths}
        return {PAGE: _index(book, records), **made, **raw}


def _differing(book: Book, record: Record) -> Mapping[str, Sequence[str]]:
    """Return the members in which each broken case differs, as far as a report holds them."""
    system = described(record["system"])
    found = {}
    for name, other in record["others"].items():
        if "answer" in other and name in book.cases:
            operation = name.rpartition(".")[0]
            expected = shortened(book.cases[name].data["expect"]["result"])
            found[name] = differing(expected, other["answer"], system.offers[operation])
    return found


def _page(record: Record) -> str:
    return f"systems/{record['system']['name']}.md"


def _title(record: Record) -> str:
    return escape(record["system"]["title"])


def _version(record: Record) -> str:
    made = record["implementation"]
    return escape(made["version"]) if made else "not started"


def _index(book: Book, records: Sequence[Record]) -> str:
    head = ["system", "project", "version", "kept", "not kept", "in the content alone"]
    head += ["not offered", "asked of"]
    rows = [
        [
            link(PAGE, _page(record), _title(record)),
            escape(record["system"]["project"]),
            _version(record),
            len(record["kept"]),
            len(record["others"]),
            sum(differs == [CONTENT] for differs in record["differs"].values()),
            sum(record["not_offered"].values()),
            ", ".join(map(code, record["system"]["operations"])),
        ]
        for record in sorted(records, key=lambda one: str(one["system"]["title"]).lower())
    ]
    absent = book.record(NOT_RUN, COMMAND)
    others = [[escape(each["system"]), prose(each["why"])] for each in absent]
    parts = [WIDE + INTRO, table(head, rows), "## Requirements", *_requirements(book, records)]
    parts += ["## Servers", *_servers(book)]
    return "\n\n".join([*parts, "## Not run", table(["system", "why"], others)])


def _servers(book: Book) -> Iterator[str]:
    """Yield what running servers said to what `turn.prepare` lets out, and why some refuse it."""
    yield SERVERS_INTRO
    head = ["server", "flags", "profile", "asked on", "requests of cases", "refused"]
    head += ["generated requests", "refused"]
    rows = []
    for profile, found in book.record(SERVERS, ASKED).items():
        of_cases = [name for name in found["refused"] if name in found["golden"]]
        others = len(found["refused"]) - len(of_cases)
        shown = link(PAGE, f"profiles/{profile}.md", code(profile))
        row = [escape(found["server"]), code(found["flags"]), shown, found["date"]]
        rows.append([*row, len(found["golden"]), len(of_cases), found["generated"], others])
    yield table(head, rows)
    reasons = book.record(NOT_OURS, ASKED).items()
    listed = [[prose(why), ", ".join(f"`{name}`" for name in names)] for why, names in reasons]
    yield table(["why a request of a case is refused by one of them", "cases"], listed)


def _requirements(book: Book, records: Sequence[Record]) -> Iterator[str]:
    """Yield a folded table for each contract: who keeps a requirement, who does not, and how the
    requirement was read as a lawyer of those would.
    """
    read = {one["requirement"]: one for one in book.record(READINGS, COMMAND)}
    found = {record["system"]["name"]: _by_requirement(book, record) for record in records}
    links = {
        record["system"]["name"]: link(PAGE, _page(record), _title(record)) for record in records
    }
    for contract, ones in by_contract(book.spec):
        rows = [
            [*_row(one, found, links), _reading(read.get(one.id))]
            for one in ones
            if any(one.id in each for each in found.values())
        ]
        if rows:
            head = ["requirement", "title", "every case that was asked is kept"]
            head += ["the content of some case differs, and nothing else", "more differs"]
            head += ["read as a lawyer of those would"]
            asked = f"{contract}: {plural(len(rows), 'requirement')} that some system was asked"
            yield folded(asked, table(head, rows))


def _row(
    one: Requirement, found: Mapping[str, Mapping[str, set[int]]], links: Mapping[str, str]
) -> list[str]:
    asked = {name: ends[one.id] for name, ends in found.items() if one.id in ends}
    worst = {name: max(ends) for name, ends in asked.items()}
    columns = (", ".join(links[n] for n, end in worst.items() if end == each) for each in range(3))
    return [one.id, escape(one.title), *columns]


def _reading(one: Record | None) -> str:
    """Return a cell in Markdown, as the file has it."""
    return "" if one is None else f"*{one['reading']}*. {one['why']}".replace("|", "&#124;")


def _by_requirement(book: Book, record: Record) -> Mapping[str, set[int]]:
    """Return how the cases of each requirement ended: 0 kept, 1 differs in the content, 2 more."""
    found: dict[str, set[int]] = defaultdict(set)
    differs = record["differs"]
    ends = dict.fromkeys(record["kept"], 0)
    ends |= {name: 1 if differs.get(name) == [CONTENT] else 2 for name in record["others"]}
    for name, end in ends.items():
        for requirement in _decided(book.cases[name], record) if name in book.cases else ():
            found[requirement].add(end)
    return found


def _decided(case: Case, record: Record) -> Iterator[str]:
    """Yield the requirements of a case about which a survey says something."""
    offer = record["system"]["operations"][case.id.rpartition(".")[0]]
    compared = {path.partition("/")[0] for path in offer["members"]}
    for each in case.requirements:
        shadowed = each == AS_DESCRIBED and len(case.requirements) > 1
        left_out = each in MEMBERS and MEMBERS[each] not in compared
        if not shadowed and not left_out:
            yield each


def _system(book: Book, record: Record) -> str:
    system, suite = record["system"], record["suite"]
    told = facts(
        link(_page(record), PAGE, "Systems"),
        f"[{escape(system['project'])}]({system['home']})",
        f"package {code(system['package'])} {_version(record)}",
        book.recorded(suite["digest"], record["date"], suite["version"]),
        f'<a href="../{escape(system["name"])}.json">report as JSON</a>',
        f"{len(record['kept'])} cases kept, {len(record['others'])} not",
    )
    parts = [f"# {_title(record)}", told]
    for name, offer in system["operations"].items():
        parts += [f"## {escape(name)}", prose(offer["mapping"]), _offer(offer)]
    reasons = sorted(record["not_offered"].items())
    parts += [
        "## Not offered",
        table(["why", "cases"], [[prose(why), many] for why, many in reasons]),
    ]
    parts += ["## Not kept", *_others(book, record)]
    parts.append('<script src="../../assets/systems.js" defer></script>')
    return "\n\n".join(parts)


def _offer(offer: Record) -> str:
    names = {
        "compared": offer["members"],
        "without white space": offer.get("blank", ()),
        "dialects": offer.get("dialects", ()),
        "formats": offer.get("formats", ()),
        "left to its caller": offer.get("leaves", ()),
    }
    rows = [[what, ", ".join(map(code, each))] for what, each in names.items() if each]
    return table(["what", "names"], rows)


def _others(book: Book, record: Record) -> Iterator[str]:
    """Yield the cases that are not kept, by the requirement that each cites first."""
    page, differs = _page(record), record["differs"]
    grouped: dict[str, list[str]] = defaultdict(list)
    for name, found in record["others"].items():
        case = book.cases.get(name)
        shown = link(page, case.address, escape(case.title)) if case else code(name)
        said = f": {code(found['reason'])}" if "reason" in found else ""
        where = "".join(f", {code(path)}" for path in differs.get(name, ()))
        item = f"- {shown}, {ENDS[found['outcome']]}{said}{where}"
        if found["outcome"] == "broken" and case:
            item += f' <button class="cc-answer" data-case="{name}" hidden>show the answer</button>'
        grouped[case.requirements[0] if case else "others"].append(item)
    for requirement, items in sorted(grouped.items()):
        title = escape(book.label(requirement)) if requirement in book.law else requirement
        yield folded(f"{title}: {plural(len(items), 'case')}", "\n".join(items))
