"""The page of the hardest findings of the surveys: calls invented and lost, secrets shown, time.

Each row of ``tests/systems/findings.json`` is asked again by ``nox -s systems``; the times were
measured by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tools.site.book import Book, Record
from tools.site.markdown import code, escape, table
from tools.site.systems import Survey

PAGE = "systems/findings.md"
FILE = "tests/systems/findings.json"

KINDS = {
    "invented": "A call that nobody made, or one that was not made whole.",
    "lost": "A call, an argument or a text that does not arrive.",
    "shown": "Reasoning or arguments in the text that a user reads.",
    "raised": "An exception in place of an answer.",
    "slow": """A time that grows faster than its input. Measured by hand: seconds of processor time
for texts of so many characters. The names are those of the generators in
`tests/evidence/bench/adversarial.py`. Nothing compares these again.""",
}

INTRO = """# Findings

The hardest findings of the [surveys](index.md), each with the smallest input that we know. The
session `systems` asks each of them again, and fails where the answer is another one now. Where
an input is a text, its tools are `f` and `g` and take any object. A requirement is what this
specification asks; a system can want something else. An issue of the system stands beside a
finding where it is about the same behaviour."""


def parts(book: Book) -> Iterator[str]:
    """Yield the parts of the page."""
    findings = book.record(FILE, "systems")
    surveys = {name: Survey(book, name) for name in {one["system"] for one in findings}}
    if unknown := {one["kind"] for one in findings} - KINDS.keys():
        raise ValueError(f"no kind: {', '.join(sorted(unknown))}")
    yield INTRO
    for kind, meaning in KINDS.items():
        ones = [one for one in findings if one["kind"] == kind]
        ones.sort(key=lambda one: (surveys[one["system"]].title.lower(), one["id"]))
        if ones:
            yield f"## {kind.capitalize()}"
            yield meaning
            head = ["system", "what happens", "input", "seconds" if kind == "slow" else "answer"]
            yield table([*head, "requirement"], (_row(one, surveys[one["system"]]) for one in ones))


def _row(finding: Record, survey: Survey) -> list[str]:
    title = escape(finding["title"])
    if issue := finding.get("upstream"):
        title += f", [reported]({issue})"
    if finding["kind"] == "slow":
        pairs = zip(finding["sizes"], finding["seconds"], strict=True)
        times = "<br>".join(f"{n}: {time:g}" for n, time in pairs)
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
