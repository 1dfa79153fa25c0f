"""The operations of the extraction contract, from JSON input to outcome."""

from collections.abc import Mapping
from typing import Any, cast

from commoncall.envelope import Env
from commoncall.extraction.extract import TextOptions, extract, stream
from commoncall.operation import Operation, by_name


def text_options(given: Mapping[str, Any]) -> TextOptions:
    """Return those members of an input in form that say how to read a text."""
    options = {name: given[name] for name in TextOptions.__annotations__ if name in given}
    return cast(TextOptions, {**options, **given.get("limits", {})})


def _options(given: Mapping[str, Any], env: Env) -> dict[str, Any]:
    names = {"effective", "native_calls", "parts"} & given.keys()
    options = {name: given[name] for name in names}
    return {**options, **text_options(given), "new_id": env.next_id}


# An outcome is a plain dict, and no ``TypedDict`` is one.
OPERATIONS: dict[str, Operation] = by_name(
    Operation(
        "extraction.extract",
        lambda given, env: {**extract(given["text"], **_options(given, env))},
    ),
    Operation(
        "extraction.stream",
        lambda given, env: {**stream(given["chunks"], **_options(given, env))},
    ),
)
