"""The page of the ledger: what people reported, by software.

The search knows the names of the programs and no row, for these would be half of its index: the
table has a field to filter, and who comes from the search finds what was sought in it.
"""

from collections import Counter
from collections.abc import Iterator

from commoncall_kit.suite.incidents import Incident, address
from tools.site.book import Book, Pages, written
from tools.site.markdown import code, escape, filtered, link, plural, prose, table

PAGE = "incidents/index.md"

HARMS = {
    "false-call": "something ran that nobody meant, or with other arguments",
    "lost-call": "a call was lost, or failed for wrong arguments",
    "lost-text": "words, reasoning or an image were lost",
    "poisoned-history": "a history could not be sent any more",
    "provider-400": "a request was refused",
    "prompt-leak": "markup, reasoning or data was shown or stored",
    "data-leak": "data reached whom it was not for",
    "metric-drift": "events and spans said something else than what happened",
    "crash": "the program ended",
}


def pages(book: Book) -> Pages:
    """Return the page."""
    records = sorted(book.incidents, key=lambda one: str(one["software"]).casefold())
    programs = dict.fromkeys(one["software"] for one in records)
    answered = sum("right" in one for one in records)
    harms = Counter(one["harm"] for one in records)
    rows = [
        [
            f"{escape(one['software'])}<br>{code(one['harm'])}",
            "<br>".join([shown(one), *_seen(book, one)]),
            _told(one),
            _answer(book, one),
        ]
        for one in records
    ]
    head = ["software, harm", "report", "what happened, and what is right", "answered by"]
    made = {
        "count": plural(len(records), "report"),
        "systems": len(programs),
        "answered": answered,
        "others": len(records) - answered,
        "rules": len(book.reported.keys() & book.spec.requirements.keys()),
        "all_rules": len(book.spec.requirements),
        "harms": table(
            ["harm", "what came of it", "reports"],
            ([code(harm), said, harms[harm]] for harm, said in HARMS.items()),
        ),
        "programs": ", ".join(map(escape, programs)),
        "records": filtered(table(head, rows)),
    }
    return {PAGE: written(PAGE, **made)}


def shown(one: Incident) -> str:
    """Return a report as a link to where it stands."""
    return f"[{escape(one['id'])}]({address(one['id'])})"


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


def _answer(book: Book, one: Incident) -> str:
    """Return the requirements, and the cases by the last part of their names."""
    cases = (book.cases[name] for name in one.get("cases", ()) if name in book.cases)
    shown = (link(case.address, code(case.id.rpartition(".")[2])) for case in cases)
    return "<br>".join(filter(None, [", ".join(one.get("rules", ())), *shown]))
