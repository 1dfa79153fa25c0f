"""The command ``survey``: what a system does that claims no contract."""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from commoncall import files
from commoncall_kit.drive.ask import RunError
from commoncall_kit.drive.session import Session
from commoncall_kit.suite import data, incidents
from commoncall_kit.suite.data import SuiteError
from commoncall_kit.verdict import survey
from commoncall_kit.verdict.survey import DescriptionError, Kept, by_requirement
from commoncall_tools.console import (
    EXIT_NOT_ESTABLISHED,
    Commands,
    UsageError,
    read,
    write_lines,
)
from commoncall_tools.progress import progress
from commoncall_tools.signals import exits_in_order
from commoncall_tools.targets import check_targets, write_target
from commoncall_tools.values import add_timeout

RESTARTS = 1000
"""What a system does to one case says nothing of the next, so each gets its process."""


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    parser = commands.add_parser(
        "survey",
        help="say what a system that claims no contract does with the cases",
        usage="commoncall survey [options] FILE -- COMMAND ...",
        description="FILE says which part of which operation the system offers. Exit status: 0 it "
        "was asked all of that, whatever it answered; 2 usage; 3 it was not. It names the "
        "requirements that are not kept, and what people reported of that.",
    )
    parser.add_argument("file", metavar="FILE", help="the description of the system")
    add_timeout(parser)
    parser.add_argument("--report", type=Path, metavar="FILE.json", help="write all of it")
    parser.set_defaults(work=run_survey)


def run_survey(options: argparse.Namespace) -> int:
    """Ask a system what it offers; 0 when it was asked all of it."""
    if not options.command:
        raise UsageError("survey needs the adapter's command after --")
    name, content = read(options.file)
    try:
        check_targets([options.report] if options.report else [])
        suite = data.load()
        system = survey.read(content, suite)
        with exits_in_order():
            report = _report(suite, system, options)
        if options.report:
            write_target(options.report, files.json_file(report))
    except DescriptionError as error:
        raise UsageError(f"{name} is no description of a system: {error}") from None
    except SuiteError as error:
        raise UsageError(str(error)) from None
    records = incidents.read()
    told = {one["id"]: one["what"] for one in records}
    write_lines(*_lines(report, by_requirement(suite, report, records), told))
    return EXIT_NOT_ESTABLISHED if report["incomplete"] else 0


def _report(
    suite: data.Suite, system: survey.System, options: argparse.Namespace
) -> survey.SurveyReport:
    cases, not_offered = survey.select(suite, system)
    session = Session(options.command, suite, options.timeout, RESTARTS)
    implementation = None
    try:
        implementation = session.start().implementation
        found = survey.run(cases, system, session.ask, progress("cases"))
        session.stop()
    except RunError as error:
        found = survey.Survey(kept=[], others={}, not_offered={}, incomplete=str(error))
    finally:
        session.kill()
    return {
        "format": survey.FORMAT,
        "date": str(date.today()),
        "suite": {"version": suite.version, "digest": suite.digest},
        "system": system.document,
        "implementation": implementation,
        **found,
        "not_offered": dict(Counter(found["not_offered"]) + not_offered),
    }


def _lines(
    report: survey.SurveyReport, rules: Sequence[Kept], told: Mapping[str, str]
) -> list[str]:
    """Say what was found; ``told`` is what happened in each report of the ledger."""
    ends = Counter(found["outcome"] for found in report["others"].values())
    counts = [("kept", len(report["kept"])), *sorted(ends.items())]
    made = report["implementation"]
    lines = [
        f"{report['system']['title']}, {made['version'] if made else 'which did not start'}",
        ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts),
        *(_end(case, found) for case, found in report["others"].items()),
        *(f"not offered: {many} ({why})" for why, many in sorted(report["not_offered"].items())),
        # Last, where a terminal shows it: the cases can be hundreds.
        *_of_requirements(rules, told),
    ]
    return lines + ([f"incomplete: {report['incomplete']}"] if report["incomplete"] else [])


def _end(case: str, found: survey.CaseEnd) -> str:
    why = f": {found['reason']}" if "reason" in found else ""
    return f"  {found['outcome']:9} {case}{why}"


def _of_requirements(rules: Sequence[Kept], told: Mapping[str, str]) -> list[str]:
    """Say how many requirements are kept in every case, and of each other what it stands for."""
    if not rules:
        return []
    others = [rule for rule in rules if rule.broken]
    lines = [f"requirements: {len(rules) - len(others)} kept, {len(others)} not in every case"]
    for rule in others:
        lines.append(f"  {rule.id}  {rule.title}: {rule.broken} of {rule.asked} cases not kept")
        lines += [f"    as {each}: {told[each]}" for each in rule.reports]
    return lines
