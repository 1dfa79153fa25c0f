"""The turn contract as operations: JSON in, outcome out.

The forms of the inputs are those of the schemas (TRN-001, TRN-020, TRN-040), and what no
schema can say stands here.
"""

from collections.abc import Iterator
from typing import Any

from commoncall.capability.operations import of_registries
from commoncall.envelope import Env
from commoncall.event.operations import key_of
from commoncall.extraction.operations import text_options
from commoncall.forms import Trouble, fits, form_of
from commoncall.operation import Operation, by_name, pure
from commoncall.payload.profile import profile_of
from commoncall.turn.opaque import REASONING, carried_names
from commoncall.turn.prepare import prepare
from commoncall.turn.receive import Received, receive
from commoncall.turn.settle import settle
from commoncall.turn.stream import Stream, StreamResult


def _unknown_members(given: Any) -> Iterator[Trouble]:
    """Give the members of a message that are neither its own nor opaque (TRN-020)."""
    own = form_of("turn.receive", "message")["properties"].keys()
    known = own | carried_names(profile_of(given.get("profile"))) | {*REASONING}
    for name in given["message"]:
        if name not in known:
            yield Trouble(("message", name), "is no known member")


def is_received(value: object) -> bool:
    """Tell whether a value is a received turn."""
    return fits(value, form_of("turn.settle", "received")) and _agrees(value)


def _parts_that_differ(given: Any) -> Iterator[Trouble]:
    if not _agrees(given["received"]):
        yield Trouble(("received",), "must speak of the same calls of one request in all its parts")


def _agrees(received: Any) -> bool:
    """Tell whether the parts of a received turn speak of the same calls of one request."""
    planned, stored = received["planned"], _seqs(received["calls"])
    seqs = _seqs(planned)
    return (
        seqs == list(range(len(seqs)))
        and len({each["request_id"] for each in planned}) <= 1
        and sorted(_seqs(received["dispatch"]) + _seqs(received["answers"])) == seqs
        and len(set(stored)) == len(stored)
        and set(stored) <= set(seqs)
    )


def _seqs(items: list[dict[str, Any]]) -> list[int]:
    return [int(item["seq"]) for item in items]


def _options(given: dict[str, Any], env: Env) -> dict[str, Any]:
    """Return the arguments that `receive` and `Stream` have in common."""
    return {
        "request_id": given["request_id"],
        "disposition": given["disposition"],
        "new_id": env.next_id,
        # A request of null has no tools, like an empty one.
        "request": given["request"] or {} if "request" in given else None,
        "aliases": given.get("aliases"),
        "key": key_of(given),
        "profile": given.get("profile"),
        **text_options(given),
    }


def _receive(given: dict[str, Any], env: Env) -> Received:
    return receive(given["plan"], given["message"], **_options(given, env))


def _stream(given: dict[str, Any], env: Env) -> StreamResult:
    stream = Stream(given["plan"], **_options(given, env))
    shown = [stream.feed(chunk) for chunk in given["chunks"]]
    received = stream.finish()
    return {
        "message": stream.message,
        "received": received,
        "shown": [*shown, stream.rest],
        "findings": stream.findings,
    }


OPERATIONS: dict[str, Operation] = by_name(
    of_registries("turn.prepare", prepare),
    Operation("turn.receive", _receive, beyond=_unknown_members),
    Operation("turn.stream", _stream),
    pure("turn.settle", settle, ValueError, _parts_that_differ),
)
