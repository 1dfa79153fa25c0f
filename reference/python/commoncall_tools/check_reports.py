"""The report of the command ``check``: lines of text, JSON, JUnit XML and SARIF.

Every form says the same: the verdict, and of each finding its place, level, code, meaning and
requirements. None holds a value of the file.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final, NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree

from commoncall import __version__
from commoncall.levels import Level
from commoncall.printable import printable
from commoncall_tools.request_findings import Degree

DEGREES: Final[Sequence[Degree]] = ("note", "repair", "loss", "refused")
"""What a finding can be, the least first."""

_PLURALS: Final[Mapping[Level, str]] = {"loss": "losses", "repair": "repairs", "note": "notes"}
_SARIF: Final[Mapping[Degree, str]] = {
    "note": "note",
    "repair": "warning",
    "loss": "error",
    "refused": "error",
}
"""The level of SARIF for each of ours."""

_SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


class Said(NamedTuple):
    """A finding as reports have it: ``path`` is a JSON Pointer, ``line`` counts from 1, ``meaning``
    is that of the code, ``why`` says more of this place where there is more to say, ``refused``
    says that the endpoint answers an error, ``answer`` which, ``to_do`` what helps.
    """

    path: str
    line: int
    level: Degree
    code: str
    meaning: str
    requirements: Sequence[str]
    why: str = ""
    refused: bool = False
    answer: str = ""
    to_do: str = ""


class Report(NamedTuple):
    """What was found in a file; None is standard input. ``fail_on`` is the least level that
    counts beside what is refused, ``site`` the address of a site of the text, where it is known,
    ``others`` lines about endpoints that were not asked for, which count for nothing.
    """

    file: str | None
    profile: str
    fail_on: Degree
    findings: Sequence[Said]
    site: str | None = None
    others: Sequence[str] = ()

    @property
    def name(self) -> str:
        """What people call the file."""
        return "standard input" if self.file is None else self.file

    def counts(self, said: Said) -> bool:
        """Tell whether a finding is one to fail on."""
        return said.refused or DEGREES.index(said.level) >= DEGREES.index(self.fail_on)

    @property
    def failed(self) -> bool:
        """Whether there is a finding to fail on."""
        return any(map(self.counts, self.findings))


def verdict(report: Report) -> str:
    """Return the verdict in one line."""
    numbers = Counter(each.level for each in report.findings)
    parts = [
        f"{number} {level if number == 1 else plural}"
        for level, plural in _PLURALS.items()
        if (number := numbers[level])
    ]
    total = len(report.findings)
    head = f"{total} {'finding' if total == 1 else 'findings'}" if report.failed else "ok"
    if refused := sum(each.refused for each in report.findings):
        head += f" ({refused} refused)"
    if report.others and not report.failed:
        head = "refused by some endpoints"
    return f"{report.name}: {', '.join([head, *parts])}, against {report.profile}"


def lines(report: Report) -> list[str]:
    """Return the verdict, and a line for each finding as compilers write them."""
    return [
        verdict(report),
        *(f"{report.name}:{each.line}: {_line(each)}" for each in report.findings),
        *report.others,
    ]


def _line(said: Said) -> str:
    where = f" at {said.path}" if said.path else ""
    by = f" ({', '.join(said.requirements)})" if said.requirements else ""
    level = f"refused, {said.level}" if said.refused and said.level != "refused" else said.level
    answer = f"; {said.answer}" if said.answer else ""
    to_do = f"; {said.to_do}" if said.to_do else ""
    return f"{level}: {said.code}{where}: {said.why or said.meaning}{answer}{to_do}{by}"


def to_json(report: Report) -> str:
    """Return the report as JSON."""
    return _json(
        {
            "file": report.file,
            "profile": report.profile,
            "verdict": verdict(report),
            "failed": report.failed,
            "findings": [each._asdict() for each in report.findings],
            "others": list(report.others),
        }
    )


def junit(report: Report) -> str:
    """Return the report as JUnit XML: a case for each finding, or one that has passed.

    Below the level to fail on a case is skipped: it fails nobody's build.
    """
    found = report.findings
    failures = sum(map(report.counts, found))
    numbers = {
        "tests": str(len(found) or 1),
        "failures": str(failures),
        "errors": "0",
        "skipped": str(len(found) - failures),
    }
    root = ElementTree.Element("testsuites", {"name": "commoncall"})
    name = {"name": printable(report.name)}
    suite = ElementTree.SubElement(root, "testsuite", {**name, **numbers})
    kind = {"classname": f"check.{report.profile}"}
    for each in found:
        title = {"name": printable(f"{each.code} at {each.path or '/'}")}
        case = ElementTree.SubElement(suite, "testcase", {**kind, **title})
        mark = "failure" if report.counts(each) else "skipped"
        message = {"message": printable(f"line {each.line}: {_line(each)}")}
        inner = ElementTree.SubElement(case, mark, message)
        if mark == "failure" and report.site:
            pages = (f"{id}  {_page(report.site, id)}" for id in each.requirements)
            inner.text = "\n".join(pages) or None
    if not found:
        ElementTree.SubElement(suite, "testcase", {**kind, "name": "nothing to report"})
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def sarif(report: Report) -> str:
    """Return the report as SARIF 2.1.0: a rule for each code, a result for each finding."""
    first = {each.code: each for each in reversed(report.findings)}
    rules = sorted(first)
    driver = {
        "name": "commoncall",
        "version": __version__,
        "rules": [_rule(first[code], report.site) for code in rules],
    }
    results = [_sarif_result(report, each, rules.index(each.code)) for each in report.findings]
    run = {
        "tool": {"driver": driver},
        "results": results,
        "properties": {"profile": report.profile, "verdict": verdict(report)},
    }
    return _json({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _page(site: str, requirement: str) -> str:
    return f"{site.rstrip('/')}/r/{requirement}/"


def _rule(said: Said, site: str | None) -> dict[str, object]:
    by = "".join(f"\ncommoncall explain {id}" for id in said.requirements)
    page = _page(site, said.requirements[0]) if site and said.requirements else None
    return {
        "id": said.code,
        **({"helpUri": page} if page else {}),
        "shortDescription": {"text": said.meaning},
        "help": {"text": f"{said.meaning}\ncommoncall explain {said.code}{by}"},
        "defaultConfiguration": {"level": _SARIF[said.level]},
        "properties": {"level": said.level, "requirements": list(said.requirements)},
    }


def _sarif_result(report: Report, said: Said, rule: int) -> dict[str, object]:
    location: dict[str, object] = {
        "logicalLocations": [{"fullyQualifiedName": said.path or "/", "kind": "value"}]
    }
    if report.file is not None:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": _uri(report.file)},
            "region": {"startLine": said.line},
        }
    return {
        "ruleId": said.code,
        "ruleIndex": rule,
        "level": _SARIF["refused" if said.refused else said.level],
        "message": {"text": _line(said)},
        "locations": [location],
        "properties": {"refused": said.refused},
    }


def _uri(file: str) -> str:
    path = PurePath(file)
    return Path(file).as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


FORMS: Final[Mapping[str, Callable[[Report], str]]] = {
    "report": to_json,
    "junit": junit,
    "sarif": sarif,
}
"""The forms of a report that become a file, by the name of their option."""
