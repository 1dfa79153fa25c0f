"""The report as Markdown, for the summary of a step in CI.

What an adapter or a port wrote stands in code spans: nothing in them is markup, and renderers make
no link of an address, a name or a number there. Everywhere else an escape is not enough, since
links are looked for in the text that escapes have become.
"""

import re
from collections.abc import Iterator
from typing import Final

from commoncall.printable import printable
from commoncall_kit.verdict.causes import grouped, requirements
from commoncall_kit.verdict.report import CaseReport, ContractReport, OperationReport, Report
from commoncall_kit.verdict.terminal import by_review, headline

LISTED_FAILURES: Final = 50
"""So many failures are listed, or causes of them; nobody shows a summary that is too long."""

_LINKED: Final = re.compile(r"://|www\.|@", re.IGNORECASE)
"""Renderers make links of what holds one of these."""


def render(report: Report) -> str:
    """Return the verdict, a table of contracts, a table of failures and what was run."""
    blocks = [[f"## CommonCall: {_verdict(report)}"], list(_judged(report))]
    reviewed = [each.contract for each in report.contracts if each.verdict and each.by_review]
    blocks.append([f"- {_cell(name)}: {_cell(by_review(report, name))}" for name in reviewed])
    blocks += [list(_failures(report)), list(_known(report)), [_run(report)]]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _verdict(report: Report) -> str:
    if report.verdict == "not_established":
        return f"not established: {_code(report.reason or '')}"
    return _cell(headline(report))


def _judged(report: Report) -> Iterator[str]:
    shown: list[ContractReport | OperationReport]
    shown = [each for each in report.contracts if each.verdict]
    kind = "contract"
    if report.run.selection.operations:
        kind, shown = "operation", [*report.operation_verdicts]
    if not shown:
        return
    yield f"| {kind} | verdict | requirements | cases passed | failed | errored | not applicable |"
    yield "|---|---|---|---|---|---|---|"
    for each, name in zip(shown, report.judged, strict=True):
        counts = [each.cases[name] for name in ("passed", "failed", "errored", "not_applicable")]
        satisfied = f"{each.satisfied}/{each.total}"
        cells = [name, (each.verdict or "").replace("_", " "), satisfied, *counts]
        yield _row(*map(_cell, map(str, cells)))


def _failures(report: Report) -> Iterator[str]:
    bad = [each for each in report.failures if each.scored]
    if not bad:
        return
    yield "| case | outcome | requirements | why |"
    yield "|---|---|---|---|"
    groups = grouped(bad)
    for group in groups[:LISTED_FAILURES]:
        first, more = group[0], len(group) - 1
        name = f"{first.case} and {more} more" if more else first.case
        cells = [name, first.outcome, requirements(group)]
        yield _row(*map(_cell, cells), _code(_why(first)))
    if rest := sum(map(len, groups[LISTED_FAILURES:])):
        yield _row(f"and {rest} more", "", "", "")


def _known(report: Report) -> Iterator[str]:
    if not report.known_failures:
        return
    yield "| known failure | state | until | issue | reason |"
    yield "|---|---|---|---|---|"
    for each in report.known_failures:
        cells = [each.id, each.state, each.expires]
        yield _row(*map(_cell, cells), _code(each.issue), _code(each.reason))


def _run(report: Report) -> str:
    run, who = report.run, report.declared.who
    which = f"set {run.set.name} of " if run.set else ""
    suite = f"{which}suite {run.suite.version}, {run.suite.digest}"
    adapter = "none" if who is None else _code(who)
    return f"Adapter: {adapter}; {_cell(f'{suite}; seed {run.seed}; kit {run.kit}')}"


def _why(case: CaseReport) -> str:
    if case.difference is None:
        return case.reason or ""
    found = case.difference
    text = f"{found.path}: expected {found.expected}, got {found.got}"
    return f"{case.reason}: {text}" if case.reason else text


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    """Return words of the suite or of the kit as a text that stays one: no markup, no new cell."""
    if _LINKED.search(text):
        return _code(text)
    safe = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"[\\`*_{}\[\]()#+|~!@]", r"\\\g<0>", safe)


def _code(text: str) -> str:
    """Return words of others as a code span, which holds whatever they are."""
    if not text:
        return ""
    safe = printable(text).replace("|", "\\x7c")  # nothing else keeps a cell in one piece there
    longest = max(map(len, re.findall("`+", safe)), default=0)
    fence = "`" * (longest + 1)
    # One space on both sides belongs to the fence; without it a backtick would.
    pad = " " if {safe[0], safe[-1]} & {"`", " "} else ""
    return f"{fence}{pad}{safe}{pad}{fence}"
