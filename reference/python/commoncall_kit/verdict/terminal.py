"""The report as text for people: the verdict, the contracts, then each failure."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from commoncall.printable import printable
from commoncall_kit.verdict.causes import FEW, grouped, ranges, requirements
from commoncall_kit.verdict.report import CaseReport, Report


def render(report: Report, again: Sequence[str] = ()) -> str:
    """Return the report as lines of text.

    Args:
        report: what to show.
        again: the options and the adapter's command that a further run needs.
    """
    blocks = [[headline(report), _run_line(report)]]
    if report.declared.who is not None:
        if not report.run.selection.operations:
            blocks.append(list(_contract_lines(report)))
        blocks.append(list(_operation_lines(report)))
        blocks.append(list(_left_out_lines(report)))
    blocks.append(list(_known_lines(report)))
    bad = sorted(report.failures, key=lambda case: not case.scored)
    for group in grouped(bad):
        of_one = _group_lines(group) if len(group) > 1 else failure_lines(group[0], report)
        blocks.append(list(of_one))
    if bad and again:
        one = ["--case", bad[0].case, "--seed", str(report.run.seed)]
        command = shlex.join(["commoncall", "conformance", *one, *again])
        blocks.append([f"one case again: {command}"])
    return "\n\n".join("\n".join(map(printable, block)) for block in blocks if block) + "\n"


def headline(report: Report) -> str:
    """Return the verdict in one line."""
    good = [name for name, verdict in report.judged.items() if verdict == "conformant"]
    bad = [name for name, verdict in report.judged.items() if verdict == "not_conformant"]
    level = report.run.selection.level
    match report.verdict:
        case "conformant":
            return f"conformant: {', '.join(good)}"
        case "selection_passed" if level:
            return f"{level}: satisfied"
        case "not_conformant" if level:
            return f"{level}: not satisfied, failing or missing {', '.join(bad)}"
        case "selection_passed":
            return "passed: all selected cases; a selection of cases says nothing of conformance"
        case "not_conformant":
            others = f" (conformant: {', '.join(good)})" if good else ""
            return f"not conformant: {', '.join(bad)}{others}"
        case "known_failures":
            admitted = [name for name, each in report.judged.items() if each == report.verdict]
            return f"nothing but known failures, so not conformant: {', '.join(admitted)}"
        case "outdated":
            wrong = [each for each in report.known_failures if each.state in ("stale", "expired")]
            return f"the list of known failures is out of date: {len(wrong)} of its entries"
        case "not_established":
            return f"not established: {report.reason}"


def _run_line(report: Report) -> str:
    run, who = report.run, report.declared.who or "no implementation"
    which = f"suite {run.suite.version} {run.suite.digest[:19]}"
    if run.set is not None:
        which += f", set {run.set.name}"
    return f"{who}, {which}, seed {run.seed}"


def _contract_lines(report: Report) -> Iterator[str]:
    width = max(len(each.contract) for each in report.contracts)
    for each in report.contracts:
        name = each.contract.ljust(width)
        if not each.claimed:
            yield f"{name}  not claimed"
            continue
        more = f"; unscored {_counts(each.unscored)}" if any(each.unscored.values()) else ""
        if each.verdict is None:
            is_later = more and not any(each.cases.values())
            yield f"{name}  not in the set{more}" if is_later else f"{name}  not selected"
        else:
            yield (
                f"{name}  {_words(each.verdict)}: requirements satisfied "
                f"{each.satisfied} of {each.total}; cases {_counts(each.cases)}{more}"
            )
            if each.by_review:
                yield f"{' ' * width}  {by_review(report, each.contract)}"


def _operation_lines(report: Report) -> Iterator[str]:
    words = {}
    if report.run.selection.level:
        words = {"selection_passed": "satisfied", "not_conformant": "not satisfied"}
    for each in report.operation_verdicts:
        verdict = words.get(each.verdict, _words(each.verdict))
        met = "" if each.satisfied == each.total else f"{each.satisfied} of "
        many = f"{each.total} requirement{'s' * (each.total != 1)}"
        yield f"{each.operation}: {verdict}, {met}{many}, cases {_counts(each.cases)}"


def by_review(report: Report, contract: str) -> str:
    """Return ``2 more by review: CAP-053, CAP-055``: what applies and no case can show."""
    names = sorted(
        each.requirement
        for each in report.requirements
        if each.contract == contract and each.scored and each.verdict == "by_review"
    )
    return f"{len(names)} more by review: {', '.join(ranges(names))}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(
        f"{count} {_words(outcome)}"
        for outcome, count in counts.items()
        if count or outcome == "passed"
    )


def _left_out_lines(report: Report) -> Iterator[str]:
    idle = [case.reason or "" for case in report.cases if case.outcome == "not_applicable"]
    for reason, count in Counter(idle).items():
        yield f"not applicable: {count} ({reason})"
    declared, scoring = report.declared, report.run.set
    if declared.operations and "diagnostics" not in declared.features:
        yield "diagnostic members were not compared: the feature diagnostics is not declared"
    if scoring is not None and scoring.gone:
        yield f"of the set, but withdrawn or changed since: {scoring.gone} of {scoring.cases}"
    if declared.unknown:
        yield f"declared, but not in this suite: {', '.join(declared.unknown)}"
    if declared.idle and not report.run.selection.level:
        yield f"declared, but of nothing run here: {', '.join(declared.idle)}"


def _known_lines(report: Report) -> Iterator[str]:
    for each in report.known_failures:
        match each.state:
            case "fails":
                what = f"until {each.expires}: {each.reason}"
            case "stale":
                what = "it does not fail; remove the entry"
            case "expired":
                what = f"its last day was {each.expires}: {each.reason}"
            case "idle":
                what = "this run says nothing of it"
        yield f"known failure, {each.state}: {each.id} ({each.issue}), {what}"


def failure_lines(case: CaseReport, report: Report) -> Iterator[str]:
    """Yield how a case failed, which requirements that violates, and how to read more of it."""
    yield f"{case.outcome}{'' if case.scored else ', not scored'}: {case.case}"
    for each in report.requirements:
        if each.requirement in case.requirements:
            yield f"  {each.requirement}  {each.title}  {each.address}"
    if case.reason:
        yield f"  {case.reason}"
    if case.difference:
        yield f"  {case.difference.path or 'the whole answer'}"
        yield f"    expected {case.difference.expected}"
        yield f"    got      {case.difference.got}"
    if case.differences > 1:
        yield f"  differences in all: {case.differences}"
    yield f"  commoncall explain {case.case}"


def _group_lines(group: Sequence[CaseReport]) -> Iterator[str]:
    first = group[0]
    scored = "" if first.scored else ", not scored"
    yield f"{first.outcome}{scored}: {len(group)} cases, for one and the same cause"
    yield f"  {first.reason}"
    yield f"  requirements: {requirements(group)}"
    yield from (f"  {case.case}" for case in group[:FEW])
    yield f"  and {len(group) - FEW} more"
    yield f"  commoncall explain {first.case}"


def _words(name: str) -> str:
    return name.replace("_", " ")
