"""The page that says which broken references the cases kill, from the report of the mutants."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tools.site_markdown import SiteError, code, relative

PAGE = "adequacy.md"
REPORT = "build/mutants.json"


def adequacy_page(
    root: Path, requirement_page: Mapping[str, str], case_page: Mapping[str, str]
) -> str:
    """Return the page; the maps give the address of each requirement and case.

    Raises:
        SiteError: the report is there and cannot be read.
    """
    intro = (
        "# Adequacy\n\n"
        "A mutant is the reference with one deliberate fault. A requirement counts only when a\n"
        "case that cites it fails on such a fault."
    )
    file = root / REPORT
    if not file.exists():
        return f"{intro}\n\nNot run before this site was built: `nox -s mutants` runs them.\n"
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
        mutants = [(m["requirement"], m["file"], list(m["killed_by"])) for m in report["mutants"]]
    except (ValueError, KeyError, TypeError) as error:
        raise SiteError(f"{REPORT}: not a report of the mutants ({error!r})") from None
    rows = [
        f"| {_link(name, requirement_page)} | {code(path)} | {_killers(killers, case_page)} |"
        for name, path, killers in sorted(mutants, key=lambda mutant: mutant[0])
    ]
    survivors = sum(not killers for _, _, killers in mutants)
    requirements = len({name for name, _, _ in mutants})
    verdict = f"{len(mutants)} mutants of {requirements} requirements, {survivors} alive."
    return "\n".join(
        [
            intro,
            "",
            verdict,
            "",
            "| requirement | fault in | killed by |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _link(name: str, pages: Mapping[str, str]) -> str:
    return f"[{name}]({relative(PAGE, pages[name])})" if name in pages else name


def _killers(killers: list[str], case_page: Mapping[str, str]) -> str:
    if not killers:
        return "**no case**"
    first = ", ".join(_link(name, case_page) for name in killers[:3])
    return first if len(killers) <= 3 else f"{first} and {len(killers) - 3} more"
