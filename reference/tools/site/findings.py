"""The page of the hardest findings of the surveys: calls invented and lost, secrets shown, time.

Each row of ``tests/systems/findings.json`` is asked again by ``nox -s systems``; the times were
measured by hand.
"""

import json

from tools.site.book import Book, Pages, Record, written
from tools.site.markdown import code, escape, table
from tools.site.systems import Survey

PAGE = "systems/findings.md"
FILE = "tests/systems/findings.json"

KINDS = ("invented", "lost", "shown", "raised", "slow")


def pages(book: Book) -> Pages:
    """Return the page."""
    findings = book.record(FILE, "systems")
    surveys = {name: Survey(book, name) for name in {one["system"] for one in findings}}
    rows: dict[str, list[list[str]]] = {kind: [] for kind in KINDS}
    for one in sorted(findings, key=lambda one: (surveys[one["system"]].title.lower(), one["id"])):
        rows[one["kind"]].append(_row(one, surveys[one["system"]]))
    return {PAGE: written(PAGE, **{kind: _table(kind, each) for kind, each in rows.items()})}


def _table(kind: str, rows: list[list[str]]) -> str:
    seen = ["input", "seconds" if kind == "slow" else "answer"]
    return table(["system", "what happens", *seen, "requirement"], rows)


def _row(finding: Record, survey: Survey) -> list[str]:
    title = escape(finding["title"])
    if issue := finding.get("upstream"):
        title += f", [reported]({issue})"
    if finding["kind"] == "slow":
        pairs = zip(finding["sizes"], finding["seconds"], strict=True)
        times = "<br>".join(f"{size}: {time:g}" for size, time in pairs)
        seen = [escape(finding["generator"]), times]
    else:
        given = finding["input"]
        asked = given["text"] if given.keys() <= {"text", "effective"} else _json(given)
        answer = finding["raised"] if "raised" in finding else _json(finding["answer"])
        # The line feeds of a text are lines.
        seen = ["<br>".join(map(code, text.split("\n"))) for text in (asked, answer)]
    return [f"{survey.link} {survey.version}", title, *seen, finding["requirement"]]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
