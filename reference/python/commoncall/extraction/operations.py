"""The operations of the extraction contract, from JSON input to outcome."""

from collections.abc import Mapping
from typing import Any, Final, cast

from commoncall.dialect_data import format_ids
from commoncall.envelope import (
    Env,
    Operation,
    Test,
    apart,
    are_limits,
    are_strings,
    names_tools,
    says,
)
from commoncall.extraction.dialects import DIALECTS
from commoncall.extraction.extract import Begin, Fences, TextOptions, extract, stream


@says("be an array of known dialects, none of which excludes another")
def _are_dialects(value: object) -> bool:
    if not are_strings(value) or not set(value) <= DIALECTS.keys():
        return False
    return not any(set(DIALECTS[name].excludes) & set(value) for name in value)


@says("be the id of a known format")
def _is_format(value: object) -> bool:
    return isinstance(value, str) and value in format_ids()


@says('be "required", or an object with the name of a tool as "named"')
def _is_guided(value: object) -> bool:
    match value:
        case {"named": str(name)}:
            return len(value) == 1 and bool(name)
    return value == "required"


TEXT_OPTIONS: Final[Mapping[str, Test]] = {
    "dialects": _are_dialects,
    "format": _is_format,
    "tools": list,
    "fences": Fences,
    "reasoning": Begin,
    "guided": _is_guided,
    "starts_in_reasoning": bool,
    "limits": are_limits,
}
"""How to read a text in which calls are looked for, as members of an input."""

_OPTIONS: Final[Mapping[str, Test]] = {**TEXT_OPTIONS, "native_calls": bool}
_CHOICE: Final = ("dialects", "format")
_BEGIN: Final = ("reasoning", "starts_in_reasoning")
is_extract_input: Final = apart(apart(names_tools({"text": str}, _OPTIONS), *_CHOICE), *_BEGIN)
is_stream_input: Final = apart(
    apart(names_tools({"chunks": are_strings}, {**_OPTIONS, "candidates": bool}), *_CHOICE), *_BEGIN
)


def text_options(given: Mapping[str, Any]) -> TextOptions:
    """Return those members of an input in form that say how to read a text."""
    options = {name: given[name] for name in TEXT_OPTIONS if name in given}
    options.update(options.pop("limits", {}))
    return cast(TextOptions, options)


def _options(given: Mapping[str, Any], env: Env) -> dict[str, Any]:
    # An input in form may have `labels`, too, of calls that are recorded: no option here.
    names = {"effective", "observe", "native_calls", "candidates"} & given.keys()
    options = {name: given[name] for name in names}
    return {**options, **text_options(given), "new_id": env.next_id}


# An outcome is a plain dict, and no ``TypedDict`` is one.
OPERATIONS: dict[str, Operation] = {
    "extraction.extract": Operation(
        is_extract_input, lambda given, env: {**extract(given["text"], **_options(given, env))}
    ),
    "extraction.stream": Operation(
        is_stream_input, lambda given, env: {**stream(given["chunks"], **_options(given, env))}
    ),
}
