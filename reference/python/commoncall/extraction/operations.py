"""The operations of the extraction contract, from JSON input to outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from commoncall.dialect_data import format_ids
from commoncall.envelope import (
    ENV_EXHAUSTED,
    INVALID_INPUT,
    Env,
    EnvExhausted,
    Operation,
    Outcome,
    are_limits,
    are_strings,
    names_tools,
    too_deep,
)
from commoncall.extraction.dialects import DIALECTS
from commoncall.extraction.extract import extract, stream

OPTIONS = {"tools", "native_calls", "dialects", "format", "fences", "starts_in_reasoning"}
OTHERS = {"effective", "observe", "labels", "limits"}


def _extract(given: object, env: Env) -> Outcome:
    """Run ``extract`` on JSON input (EXT-001, EXT-083)."""
    return _run(extract, "text", lambda text: isinstance(text, str), given, env)


def _stream(given: object, env: Env) -> Outcome:
    """Run ``stream`` on JSON input (EXT-110)."""
    return _run(stream, "chunks", are_strings, given, env)


def _run(
    operation: Callable[..., Mapping[str, object]],
    member: str,
    is_text: Callable[[object], bool],
    given: object,
    env: Env,
) -> Outcome:
    """Run an operation on JSON input, whose ``member`` holds the text."""
    if not isinstance(given, dict) or too_deep(given):
        return INVALID_INPUT
    if given.keys() - OPTIONS - OTHERS != {member} or not is_text(given[member]):
        return INVALID_INPUT
    if not _has_valid_options(given):
        return INVALID_INPUT
    options = {name: given[name] for name in OPTIONS if name in given}
    options |= {"effective": given.get("effective"), "observe": given.get("observe", False)}
    options["payload_bytes"] = given.get("limits", {}).get("payload_bytes")
    try:
        return {"result": dict(operation(given[member], new_id=env.next_id, **options))}
    except EnvExhausted:
        return ENV_EXHAUSTED


def _has_valid_options(given: dict[str, Any]) -> bool:
    """Tell whether all members but the text have the types of the schema."""
    dialects = given.get("dialects", [])
    return (
        names_tools(given)
        and are_limits(given.get("limits", {"payload_bytes": 1}))
        and isinstance(given.get("tools", []), list)
        and isinstance(given.get("native_calls", False), bool)
        and are_strings(dialects)
        and set(dialects) <= DIALECTS.keys()
        and not any(set(DIALECTS[name].excludes) & set(dialects) for name in dialects)
        and ("format" not in given or (_is_format(given["format"]) and "dialects" not in given))
        and given.get("fences", "opaque") in ("opaque", "extract")
        and isinstance(given.get("starts_in_reasoning", False), bool)
    )


def _is_format(value: object) -> bool:
    return isinstance(value, str) and value in format_ids()


OPERATIONS: dict[str, Operation] = {"extraction.extract": _extract, "extraction.stream": _stream}
