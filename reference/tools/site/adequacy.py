"""The page that says what the cases can show: their numbers, the mutants, the trivial adapters.

The numbers of requirements, cases and runs are those of the manifest; the rest is in the reports of
the session ``mutants``, and the page says so where these are missing or of other fixtures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from commoncall.kit.data import digest_of
from tools.site.markdown import SiteError, code, escape, relative, table

PAGE = "adequacy.md"
REPORT = "build/mutants.json"
READINGS = "build/port-mutants.json"
TRIVIAL = "build/trivial.json"
MANIFEST = "fixtures/v1/manifest.json"
SUMS = "fixtures/v1/SHA256SUMS"

INTRO = """# Adequacy

A number of cases says little: in known suites an adapter that does nothing passes a third to two
thirds of them. Three measurements say more. A **mutant** is the reference with one planted fault;
a requirement counts only when a case that cites it fails on such a fault. A **wrong reading** is
the Node port, made to take one sentence of the text as an honest porter could misread it. A
**trivial adapter** answers in the right shape without doing the work; it has to satisfy no
requirement."""

NOT_RUN = "Not run before this site was built: `nox -s mutants` runs them."


def adequacy_page(
    root: Path, requirement_page: Mapping[str, str], case_page: Mapping[str, str]
) -> str:
    """Return the page; the maps give the address of each requirement and case.

    Raises:
        SiteError: a report is there and cannot be read.
    """
    parts = [INTRO, *_counts(root), "## Trivial adapters", *_trivial(root, requirement_page)]
    parts += ["## Wrong readings", *_readings(root, requirement_page, case_page)]
    return "\n\n".join([*parts, "## Mutants", *_mutants(root, requirement_page, case_page)]) + "\n"


def _counts(root: Path) -> Iterator[str]:
    contracts = _read(root, MANIFEST).get("contracts", [])
    if not contracts:
        return
    counted = ("requirements", "cases", "runs")
    rows = [[each["contract"], *(each[name] for name in counted)] for each in contracts]
    rows.append(["all", *(sum(each[name] for each in contracts) for name in counted)])
    yield table(["contract", *counted], rows)
    yield (
        "A run is one question to an adapter that declares every feature: each case twice, and\n"
        "once more for most laws that it names."
    )


def _trivial(root: Path, requirement_page: Mapping[str, str]) -> Iterator[str]:
    report = _read(root, TRIVIAL)
    if not report:
        yield NOT_RUN
        return
    if report.get("suite") != _digest(root):
        yield "The last run was about other fixtures."
        return
    try:
        rows = [
            [
                code(row["adapter"]),
                "with" if row["diagnostics"] else "without",
                f"{row['passed']} of {row['cases']}",
                ", ".join(_link(name, requirement_page) for name in row["satisfied"]) or "none",
            ]
            for row in report["scores"]
        ]
        exempt = [
            f"- {code(row['adapter'])} satisfies {_link(row['requirement'], requirement_page)}: "
            f"{escape(row['reason'])}."
            for row in report["exempt"]
        ]
    except (KeyError, TypeError) as error:
        raise SiteError(f"{TRIVIAL}: not a report of the trivial adapters ({error!r})") from None
    yield table(["adapter", "diagnostics", "cases passed", "requirements satisfied"], rows)
    if exempt:
        yield "\n".join(["Exemptions:", "", *exempt])


def _readings(
    root: Path, requirement_page: Mapping[str, str], case_page: Mapping[str, str]
) -> Iterator[str]:
    report = _read(root, READINGS)
    if not report:
        yield NOT_RUN
        return
    try:
        rows = [
            [
                _link(row["requirement"], requirement_page),
                escape(row["reading"]),
                escape(f"equal: {row['equal']}")
                if row["equal"]
                else _killers(row["killed_by"], case_page),
            ]
            for row in sorted(report["mutants"], key=lambda row: str(row["requirement"]))
        ]
    except (KeyError, TypeError) as error:
        raise SiteError(f"{READINGS}: not a report of wrong readings ({error!r})") from None
    yield f"{len(rows)} wrong readings."
    yield table(["requirement", "the port reads", "noticed by"], rows)


def _mutants(
    root: Path, requirement_page: Mapping[str, str], case_page: Mapping[str, str]
) -> Iterator[str]:
    report = _read(root, REPORT)
    if not report:
        yield NOT_RUN
        return
    try:
        mutants = [(m["requirement"], m["file"], list(m["killed_by"])) for m in report["mutants"]]
    except (KeyError, TypeError) as error:
        raise SiteError(f"{REPORT}: not a report of the mutants ({error!r})") from None
    survivors = sum(not killers for _, _, killers in mutants)
    requirements = len({name for name, _, _ in mutants})
    yield f"{len(mutants)} mutants of {requirements} requirements, {survivors} alive."
    rows = [
        [_link(name, requirement_page), code(path), _killers(killers, case_page)]
        for name, path, killers in sorted(mutants, key=lambda mutant: mutant[0])
    ]
    yield table(["requirement", "fault in", "killed by"], rows)


def _read(root: Path, path: str) -> dict[str, Any]:
    """Return a report; an empty one where there is no file."""
    if not (root / path).exists():
        return {}
    try:
        value = json.loads((root / path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise SiteError(f"{path}: not a report of the mutants ({error!r})") from None
    return value if isinstance(value, dict) else {"": value}


def _digest(root: Path) -> str:
    file = root / SUMS
    return digest_of(file.read_bytes()) if file.exists() else ""


def _link(name: str, pages: Mapping[str, str]) -> str:
    return f"[{name}]({relative(PAGE, pages[name])})" if name in pages else name


def _killers(killers: list[str], case_page: Mapping[str, str]) -> str:
    if not killers:
        return "**no case**"
    first = ", ".join(_link(name, case_page) for name in killers[:3])
    return first if len(killers) <= 3 else f"{first} and {len(killers) - 3} more"
