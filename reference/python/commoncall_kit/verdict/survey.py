"""What a system that claims no contract does with the cases that it can be asked.

A description says what part of an operation the system offers, and what of a result is compared. A
case beside that is not offered: neither kept nor broken. There is no verdict, no score and no exit
status for it; who wants one claims a contract.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypedDict

from commoncall.dialect_data import DESCRIPTORS, read_format
from commoncall.files import parsed
from commoncall_kit.drive.ask import Ask, CaseError, RunError
from commoncall_kit.suite import kept_files
from commoncall_kit.suite.data import Case, Suite
from commoncall_kit.suite.incidents import Incident
from commoncall_kit.verdict.compare import clipped, differences

FORMAT: Final = 1

EACH: Final = "*"
"""In the path of a member: each element of an array."""

SurveyOutcome = Literal["broken", "raised", "no_answer"]

_LISTS: Final = ("inputs", "members", "blank", "dialects", "formats", "leaves")


class DescriptionError(ValueError):
    """The description of a system is out of form. The text says it in one line."""


Offer = Mapping[str, Any]
"""What a system has of one operation, as its file says it; each list is there, if need be empty.

``members`` are paths, such as ``tool_calls/*/name``, and ``blank`` those of them that are texts in
which white space is not compared.
"""


@dataclass(frozen=True, slots=True)
class System:
    """A system as its file describes it; ``document`` is the file."""

    document: Mapping[str, Any]
    offers: Mapping[str, Offer]


class CaseEnd(TypedDict, total=False):
    """How a case that is not kept ended; ``answer`` is the result, ``reason`` why there is none."""

    outcome: SurveyOutcome
    answer: object
    reason: str


class Survey(TypedDict):
    """What was found: the ids of the cases that are kept, the others with their end, and how many
    are not offered for which reason. ``incomplete`` says why the run ended early.
    """

    kept: list[str]
    others: dict[str, CaseEnd]
    not_offered: dict[str, int]
    incomplete: str | None


class SurveyReport(Survey):
    """A survey with what was surveyed: ``schemas/v1/formats/survey.schema.json``.

    ``implementation`` is what the adapter says of itself, None where it did not start.
    """

    format: int
    date: str
    suite: Mapping[str, str]
    system: Mapping[str, Any]
    implementation: Mapping[str, str] | None


def read(content: bytes, suite: Suite) -> System:
    """Read a description: ``schemas/v1/formats/system.schema.json``.

    Raises:
        DescriptionError: it is out of form, or names an operation that the suite does not have.
    """
    system = described(parsed(content, DescriptionError))
    if unknown := sorted(system.offers.keys() - suite.operations.keys()):
        raise DescriptionError(f"no operation {', '.join(unknown)} in this suite")
    return system


def described(document: object) -> System:
    """Return a description as a system.

    Raises:
        DescriptionError: it is out of form.
    """
    file = kept_files.checked(document, "system", DescriptionError)
    lists: Offer = {name: [] for name in _LISTS}
    return System(file, {name: {**lists, **row} for name, row in file["operations"].items()})


def select(suite: Suite, system: System) -> tuple[list[Case], Counter[str]]:
    """Return the cases that a system can be asked, and how many others for which reason."""
    asked, others = [], Counter[str]()
    for case in suite.cases:
        offer = system.offers.get(case.operation.name)
        if offer is None:
            continue
        if reason := _not_offered(case, offer):
            others[reason] += 1
        else:
            asked.append(case)
    return asked, others


def _not_offered(case: Case, offer: Offer) -> str | None:
    """Say why a system cannot be asked a case."""
    result = case.expect.get("result")
    if not isinstance(result, Mapping) or not isinstance(case.input, Mapping):
        return "the error of an operation"
    if case.without:
        return "for those who lack a feature"
    if case.origin == "convention":
        return "a convention between ports"
    if more := sorted(case.input.keys() - set(offer["inputs"]) - {"dialects", "format"}):
        return f"an input with {more[0]}"
    if _codes(result).intersection(offer["leaves"]):
        return "left to the caller"
    return _other_dialects(case.input, result, offer) if offer["dialects"] else None


def _other_dialects(
    given: Mapping[str, Any], result: Mapping[str, Any], offer: Offer
) -> str | None:
    if "format" in given and given["format"] not in offer["formats"]:
        return "another format"
    if not set(_active(given)).intersection(offer["dialects"]):
        return "no dialect that it reads is active"
    written = {each["dialect"] for each in result.get("segments", ()) if "dialect" in each}
    return None if written <= set(offer["dialects"]) else "a call in another dialect"


def _active(given: Mapping[str, Any]) -> Sequence[str]:
    """Return the dialects that are read: those of the input, or of its format, or the defaults."""
    if "dialects" in given:
        return list(given["dialects"])
    if "format" in given:
        return list(read_format(given["format"])["dialects"])
    return [each["id"] for each in DESCRIPTORS if each["default"]]


def _codes(value: object) -> set[str]:
    """Return every code that stands in a result."""
    if isinstance(value, Mapping):
        own = {value["code"]} if isinstance(value.get("code"), str) else set()
        listed = value.get("codes")
        own |= set(listed) if isinstance(listed, list) else set()
        return own.union(*map(_codes, value.values()))
    return set().union(*map(_codes, value)) if isinstance(value, list) else set()


def run(
    cases: Sequence[Case],
    system: System,
    ask: Ask,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Survey:
    """Ask each case once. What the adapter skips is not offered either."""
    found = Survey(kept=[], others={}, not_offered={}, incomplete=None)
    skipped = Counter[str]()
    for done, case in enumerate(cases, 1):
        progress(done, len(cases))
        try:
            answer = ask(case.operation.name, case.input, case.env)
        except CaseError as error:
            found["others"][case.id] = {"outcome": "no_answer", "reason": clipped(str(error))}
            continue
        except RunError as error:
            found["incomplete"] = clipped(str(error))
            break
        match answer:
            case {"skipped": {"reason": str(reason)}}:
                skipped[clipped(reason)] += 1
            case {"result": result}:
                if is_kept(case, result, system.offers[case.operation.name]):
                    found["kept"].append(case.id)
                else:
                    found["others"][case.id] = {"outcome": "broken", "answer": shortened(result)}
            case {"errored": {"message": str(message)}}:
                found["others"][case.id] = {"outcome": "raised", "reason": clipped(message)}
            case {"error": {"code": code}}:
                reason = clipped(f"the error {code}")
                found["others"][case.id] = {"outcome": "raised", "reason": reason}
    found["not_offered"] = dict(skipped)
    return found


def is_kept(case: Case, result: object, offer: Offer) -> bool:
    """Tell whether a result has what a case expects, in the members that are compared."""
    return not differing(case.expect["result"], result, offer)


def differing(expected: object, result: object, offer: Offer) -> list[str]:
    """Return the paths, of those that are compared, at which a result is not as expected."""
    wanted, given = _compared(expected, offer), _compared(result, offer)
    return [path for path in wanted if differences(wanted[path], given[path])]


def _compared(result: object, offer: Offer) -> dict[str, list[object]]:
    found = {path: list(leaves(result, path.split("/"))) for path in offer["members"]}
    for path in offer["blank"]:
        found[path] = [_unblanked(each) for each in found[path]]
    return found


def _unblanked(text: object) -> object:
    return " ".join(text.split()) if isinstance(text, str) else "" if text is None else text


def leaves(value: object, steps: Sequence[str]) -> Iterable[object]:
    """Yield what stands at a path; an absent member yields nothing."""
    if not steps:
        yield value
    elif steps[0] == EACH:
        for each in value if isinstance(value, list) else ():
            yield from leaves(each, steps[1:])
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from leaves(value[steps[0]], steps[1:])


def shortened(value: object) -> object:
    """Return a result whose strings are no longer than a report shows."""
    if isinstance(value, str):
        return clipped(value)
    if isinstance(value, list):
        return [shortened(each) for each in value]
    if isinstance(value, Mapping):
        return {name: shortened(each) for name, each in value.items()}
    return value


class Kept(NamedTuple):
    """A requirement as a system was asked it: how many cases, how many it does not keep, and the
    ids of reports that these stand for.
    """

    id: str
    title: str
    asked: int
    broken: int
    reports: Sequence[str]


def by_requirement(suite: Suite, found: Survey, incidents: Sequence[Incident]) -> list[Kept]:
    """Return each requirement that was asked, in the order of the ids.

    A case counts for the requirement that it cites first, and a report where one of its own cases
    is not kept.
    """
    first = {case.id: case.requirements[0] for case in suite.cases}
    broken = Counter(first[case] for case in found["others"])
    asked = broken + Counter(first[case] for case in found["kept"])
    reported = {rule: _reports(rule, first, found, incidents) for rule in broken}
    return [
        Kept(
            rule, suite.requirements[rule].title, asked[rule], broken[rule], reported.get(rule, [])
        )
        for rule in sorted(asked)
    ]


def _reports(
    rule: str, first: dict[str, str], found: Survey, incidents: Sequence[Incident]
) -> list[str]:
    cases = {case for case in found["others"] if first[case] == rule}
    return [one["id"] for one in incidents if not cases.isdisjoint(one.get("cases", ()))]
