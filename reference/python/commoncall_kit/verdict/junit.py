"""The report as JUnit XML, for systems that show test results: a suite for each contract."""

from collections import Counter
from xml.etree import ElementTree

from commoncall.printable import printable
from commoncall_kit.verdict.report import CaseReport, ContractReport, Report
from commoncall_kit.verdict.terminal import failure_lines, headline


def render(report: Report) -> str:
    """Return the XML. Where nothing could be established, that is an error in it."""
    root = ElementTree.Element("testsuites", {"name": "commoncall"})
    ran = {case.contract for case in report.cases}
    for contract in report.contracts:
        if contract.verdict is not None or contract.contract in ran:
            _suite(root, contract, report)
    if report.verdict in ("not_established", "outdated"):
        whole = {"name": "run", "tests": "1", "errors": "1", "failures": "0", "skipped": "0"}
        suite = ElementTree.SubElement(root, "testsuite", whole)
        case = ElementTree.SubElement(suite, "testcase", {"classname": "run", "name": "verdict"})
        ElementTree.SubElement(case, "error", {"message": printable(headline(report))})
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _suite(root: ElementTree.Element, contract: ContractReport, report: Report) -> None:
    cases = [case for case in report.cases if case.contract == contract.contract]
    marks = Counter(_mark(case) for case in cases)
    numbers = {
        "tests": str(len(cases)),
        "errors": str(marks["error"]),
        "failures": str(marks["failure"]),
        "skipped": str(marks["skipped"]),
    }
    suite = ElementTree.SubElement(root, "testsuite", {"name": contract.contract, **numbers})
    for case in cases:
        names = {"classname": case.operation, "name": case.case}
        element = ElementTree.SubElement(suite, "testcase", names)
        if mark := _mark(case):
            inner = ElementTree.SubElement(element, mark, {"message": _message(case)})
            if mark != "skipped":
                inner.text = "\n".join(map(printable, failure_lines(case, report)))


def _mark(case: CaseReport) -> str:
    """Return the element of a case; what is known or not scored fails nobody's build."""
    if case.outcome == "passed":
        return ""
    if case.known or not case.scored or case.outcome == "not_applicable":
        return "skipped"
    return "failure" if case.outcome == "failed" else "error"


def _message(case: CaseReport) -> str:
    if case.known:
        return f"known failure: {case.known}"
    if not case.scored:
        return f"not scored: {case.outcome}"
    difference = case.difference.path if case.difference else case.outcome
    return printable(f"{', '.join(case.requirements)}: {case.reason or difference}")
