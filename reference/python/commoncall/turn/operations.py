"""The turn contract as operations: JSON in, outcome out.

The envelopes are checked here (TRN-001, TRN-020, TRN-040, TRN-060). A member that is handed on has
the form that the contract says which takes it.
"""

from __future__ import annotations

from typing import Any, Final

from commoncall import event
from commoncall.capability import load_registry
from commoncall.capability.operations import is_section
from commoncall.envelope import (
    Env,
    Members,
    Operation,
    Test,
    apart,
    are_strings,
    array_of,
    holds,
    is_whole,
    operation,
)
from commoncall.event.operations import is_key, key_of
from commoncall.extraction.operations import TEXT_OPTIONS, text_options
from commoncall.payload import Disposition
from commoncall.payload.profile import is_profile
from commoncall.payload.tool_call import EmptyArguments
from commoncall.turn.prepare import Prepared, prepare
from commoncall.turn.receive import Received, receive
from commoncall.turn.settle import settle
from commoncall.turn.stream import Stream, StreamResult

Items = list[dict[str, Any]]

is_prepare_input: Final = Members(
    {
        "request": object,
        "registries": list,
        "targets": list,
        "registered": are_strings,
        "layers": list,
        "text_protocol": bool,
        "disposition": Disposition,
    },
    {
        "allow_inferred": bool,
        "strict_parsing": bool,
        "sections": array_of(is_section),
        "open_turn": bool,
        "profile": is_profile,
    },
)


def _are_aliases(aliases: object) -> bool:
    return isinstance(aliases, dict) and all(isinstance(name, str) for name in aliases.values())


_is_inbound_plan: Final = holds(
    {"effective": are_strings, "parse_native_calls": bool, "parse_text_calls": bool}
)
_is_message: Final = Members({"text": str | None, "tool_calls": list | None}, {"truncated": bool})


def _inbound(**given: Test) -> Test:
    """Return a test for the input of an inbound half, whose message is given as these members."""
    required = {"plan": _is_inbound_plan, "request_id": str, "disposition": Disposition}
    optional = {
        "request": object,
        "aliases": _are_aliases,
        "empty_arguments": EmptyArguments,
        "key": is_key,
    }
    form = Members({**required, **given}, {**optional, **TEXT_OPTIONS})
    return apart(form, "dialects", "format")


is_receive_input: Final = _inbound(message=_is_message)
is_stream_input: Final = _inbound(chunks=list)


def _items(*names: str) -> Test:
    """Return a test for a list of objects that have a seq, and strings of these names."""
    return array_of(holds({"seq": is_whole, **dict.fromkeys(names, str)}))


_has_parts: Final = holds(
    {
        "content": str | None,
        "planned": _items("request_id", "tool", "tool_call_id"),
        "calls": _items("id", "name", "arguments_json"),
        "dispatch": _items(),
        "answers": _items("error_type"),
    }
)


def _is_received(received: Any) -> bool:
    """Tell whether a value is a received turn; its parts speak of the same calls of one request."""
    if not _has_parts(received):
        return False
    planned, answers = received["planned"], received["answers"]
    seqs, stored = _seqs(planned), _seqs(received["calls"])
    return (
        seqs == list(range(len(seqs)))
        and len({each["request_id"] for each in planned}) <= 1
        and sorted(_seqs(received["dispatch"]) + _seqs(answers)) == seqs
        and len(set(stored)) == len(stored)
        and set(stored) <= set(seqs)
        and all(answer["error_type"] in event.MESSAGES for answer in answers)
    )


def _seqs(items: Items) -> list[int]:
    return [int(item["seq"]) for item in items]


_is_outcome: Final = Members(
    {"seq": is_whole, "status": object},
    {"content": object, "latency_ms": object, "error_type": object},
)
is_settle_input: Final = Members({"received": _is_received, "outcomes": array_of(_is_outcome)})


def _prepare(given: dict[str, Any], env: Env) -> Prepared:
    registries = [load_registry(document) for document in given["registries"]]
    return prepare(**{**given, "registries": registries})


def _options(given: dict[str, Any], env: Env) -> dict[str, Any]:
    """Return the arguments that `receive` and `Stream` have in common."""
    return {
        "request_id": given["request_id"],
        "disposition": given["disposition"],
        "new_id": env.next_id,
        # A request of null has no tools, like an empty one.
        "request": given["request"] or {} if "request" in given else None,
        "aliases": given.get("aliases"),
        "empty_arguments": given.get("empty_arguments", "reject"),
        "key": key_of(given),
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


OPERATIONS: dict[str, Operation] = {
    "turn.prepare": operation(is_prepare_input, _prepare),
    "turn.receive": operation(is_receive_input, _receive),
    "turn.stream": operation(is_stream_input, _stream),
    "turn.settle": operation(is_settle_input, lambda given, _: settle(**given), invalid=ValueError),
}
