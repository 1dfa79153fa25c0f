"""Laws: what follows from a case without being written in it.

A case names its laws; the kit derives a further run from each: another input, and its outcome.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from commoncall_kit.suite import chunking, streamed
from commoncall_kit.suite.chunking import SIZES
from commoncall_kit.suite.data import Case, Suite, number_of

Derived = tuple[object, Mapping[str, object]]
"""An input, and the outcome that it has to have: ``{result}`` or ``{error}``."""

RUNS: Final = 2
"""Every case runs twice, in two orders, so that state and chance show."""

SETTLED: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "payload.sanitize_request": ("request", {"aliases": {}, "findings": []}),
    "payload.sanitize_history": ("messages", {"findings": []}),
    "payload.flatten_history": ("messages", {"findings": []}),
    "capability.filter_prompt": ("sections", {}),
}
"""By operation: the member that result and input have in common, and what else the result of a
settled one says.
"""


def reversed_members(value: object) -> object:
    """Return the value with the members of every object in the opposite order."""
    if isinstance(value, dict):
        return {name: reversed_members(value[name]) for name in reversed(value)}
    if isinstance(value, list):
        return [reversed_members(item) for item in value]
    return value


def key_order(case: Case) -> Derived:
    """Return the same case with every object of its input in another order."""
    return reversed_members(case.input), case.expect


def idempotent(case: Case) -> Derived | None:
    """Return the case whose input is already what the result of this one holds.

    What came out of a history has no marks, and gets that of the origin again (PAY-085). None where
    the case has no result, or its operation gives nothing that it takes.
    """
    result, given = case.expect.get("result"), case.input
    member, rest = SETTLED.get(case.operation.name, ("", {}))
    if not member or not isinstance(result, dict) or not isinstance(given, dict):
        return None
    again = {**given, member: result[member]}
    profile = given.get("profile")
    if case.operation.name == "payload.sanitize_history" and isinstance(profile, dict):
        marks = {"_from": profile["origin"]} if "origin" in profile else {}
        again[member] = [{**message, **marks} for message in result[member]]
    return again, {"result": {member: result[member], **rest}}


def dialect_order(case: Case) -> Derived | None:
    """Return the same case with its ``dialects`` in the opposite order.

    None where the case lists none, or one alone.
    """
    match case.input:
        case {"dialects": [_, _, *_] as dialects, **rest}:
            return {**rest, "dialects": dialects[::-1]}, case.expect
    return None


LAWS: Final[Mapping[str, Callable[[Case], Derived | None]]] = {
    "key-order": key_order,
    "idempotent": idempotent,
    "dialect-order": dialect_order,
    # Those of `STREAMS` ask another operation.
}

STREAMS: Final = {"chunking": chunking, "streamed": streamed}
"""The laws under which a case is sent in pieces to another operation, where an adapter has it."""


CHANGED: Final = {"idempotent": "0.2", "chunking": "0.2"}
"""By law: the version since which it asks something else than before."""


def laws_of(case: Case, suite: Suite) -> list[str]:
    """Return the laws of a case, without those that changed after the set that scores it.

    So a port that passed a set goes on to pass it, whatever newer versions ask of theirs.
    """
    if suite.frozen is None or not suite.scores(case):
        return [*case.laws]
    scored = number_of(suite.frozen.name)
    return [law for law in case.laws if number_of(CHANGED.get(law, "0.0")) <= scored]


def questions(laws: Collection[str]) -> int:
    """Return how often a case with these laws is asked of an adapter with every feature."""
    return RUNS + sum(len(SIZES) if law in STREAMS else 1 for law in laws)
