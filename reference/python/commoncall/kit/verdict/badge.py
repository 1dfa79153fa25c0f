"""The report as the file of a badge endpoint (shields.io, schemaVersion 1)."""

from typing import Final

from commoncall.kit.suite.files import json_file
from commoncall.kit.verdict.report import Report

COLOURS: Final = {"conformant": "brightgreen", "not_established": "lightgrey"}
"""Green only for all of it. There is no colour for nearly."""


def render(report: Report) -> str:
    """Return the JSON: contracts, version, and how many of how many requirements. No share."""
    shown = [each for each in report.contracts if each.verdict]
    established = shown and report.verdict not in ("not_established", "selection_passed")
    names = ", ".join(each.contract for each in shown)
    version = report.run.set.name if report.run.set else report.run.suite.version
    satisfied, total = sum(each.satisfied for each in shown), sum(each.total for each in shown)
    counted = f"{names} {version}, {satisfied}/{total} requirements"
    badge = {
        "schemaVersion": 1,
        "label": "CommonCall",
        "message": counted if established else "not established",
        "color": COLOURS.get(report.verdict if established else "not_established", "red"),
    }
    return json_file(badge)
