"""The pages of the ledger: what people reported, by harm and by software, and what nobody did.

The search knows the names of the programs and no row, for these would be half of its index: each
table has a field to filter, and who comes from the search finds what was sought in it.
"""

from collections.abc import Iterator, Sequence

from commoncall_kit.suite.incidents import Incident, address
from tools.law.text import Requirement
from tools.site.book import Book, Pages, grouped, written
from tools.site.markdown import code, escape, filtered, link, plural, prose, table

PAGE = "incidents/index.md"
SOFTWARE = "incidents/software.md"
RULES = "incidents/rules.md"

HARMS = {
    "false-call": "Something ran that nobody meant, or with other arguments",
    "lost-call": "A call was lost, or failed for wrong arguments",
    "lost-text": "Words, reasoning or an image were lost",
    "poisoned-history": "A history could not be sent any more",
    "provider-400": "A request was refused",
    "prompt-leak": "Markup, reasoning or data was shown or stored",
    "data-leak": "Data reached whom it was not for",
    "metric-drift": "Events and spans said something else than what happened",
    "crash": "The program ended",
}


def pages(book: Book) -> Pages:
    """Return the page of all incidents by harm, that by software, and that of what has none."""
    records, rules = book.incidents, book.spec.requirements.values()
    answered = sum("right" in one for one in records)
    by_software = grouped((one["software"], one) for one in records)
    alone = [one for one in rules if one.id not in book.reported]
    made = {
        "count": plural(len(records), "report"),
        "answered": answered,
        "others": len(records) - answered,
        "systems": len(by_software),
        "rules": len(rules) - len(alone),
        "harms": _by_harm(records),
    }
    return {
        PAGE: written(PAGE, **made),
        SOFTWARE: written(
            SOFTWARE,
            programs=", ".join(map(escape, sorted(by_software, key=str.casefold))),
            software=_by_software(book, by_software),
        ),
        RULES: written(RULES, alone=len(alone), reasons=_reasons(alone)),
    }


def shown(one: Incident) -> str:
    """Return a report as a link to where it stands."""
    return f"[{escape(one['id'])}]({address(one['id'])})"


def _by_harm(records: Sequence[Incident]) -> Iterator[str]:
    groups = grouped((one["harm"], one) for one in records)
    for harm, title in HARMS.items():
        if ones := groups[harm]:
            yield f"## {title} {{ #{harm} }}"
            rows = [[shown(one), prose(one["what"]), _rules(one)] for one in ones]
            yield filtered(table(["report", "what happened", "requirements"], rows))


def _by_software(book: Book, groups: dict[str, list[Incident]]) -> str:
    rows = [
        [escape(name), "<br>".join([shown(one), *_seen(book, one)]), _told(one), _answer(book, one)]
        for name in sorted(groups, key=str.casefold)
        for one in groups[name]
    ]
    head = ["software", "report", "what happened, and what is right", "answered by"]
    return filtered(table(head, rows))


def _seen(book: Book, one: Incident) -> Iterator[str]:
    """Yield when it was reported and with what, as far as that is known."""
    if "version" in one:
        yield escape(f"version {one['version']}")
    for name in ("model", "interface", "date"):
        if name in one:
            yield escape(one[name])
    if (profile := one.get("profile")) in book.profiles:
        yield link(f"profiles/{profile}.md", f"profile {profile}")


def _told(one: Incident) -> str:
    """Return what happened, and below it what has to happen, or why no rule says so."""
    below = f"*Right.* {prose(one['right'])}" if "right" in one else ""
    return "<br>".join([prose(one["what"]), below or f"*Refused.* {prose(one['refused'])}"])


def _rules(one: Incident) -> str:
    return ", ".join(one.get("rules", ()))


def _answer(book: Book, one: Incident) -> str:
    """Return the requirements, and the cases by the last part of their names."""
    cases = (book.cases[name] for name in one.get("cases", ()) if name in book.cases)
    shown = (link(case.address, code(case.id.rpartition(".")[2])) for case in cases)
    return "<br>".join(filter(None, [_rules(one), *shown]))


def _reasons(alone: Sequence[Requirement]) -> str:
    """Return the requirements that no report stands for, and why each exists all the same."""
    rows = [[one.id, escape(one.title), ", ".join([*one.source, *one.adr])] for one in alone]
    return filtered(table(["requirement", "title", "source and decisions"], rows))
