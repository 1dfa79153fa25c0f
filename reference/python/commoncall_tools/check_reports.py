"""The report of the command ``check``: lines of text, or JSON.

Both say the same: the verdict, and of each finding its place, level, code, meaning and
requirements. Neither holds a value of the file.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from commoncall.levels import Level
from commoncall_tools.console import json_text
from commoncall_tools.request_findings import Degree

DEGREES: Final[Sequence[Degree]] = ("note", "repair", "loss", "refused")
"""What a finding can be, the least first."""

_PLURALS: Final[Mapping[Level, str]] = {"loss": "losses", "repair": "repairs", "note": "notes"}


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
    counts beside what is refused, ``others`` lines about endpoints that were not asked for, which
    count for nothing.
    """

    file: str | None
    profile: str
    fail_on: Degree
    findings: Sequence[Said]
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
    return json_text(
        {
            "file": report.file,
            "profile": report.profile,
            "verdict": verdict(report),
            "failed": report.failed,
            "findings": [each._asdict() for each in report.findings],
            "others": list(report.others),
        }
    )
