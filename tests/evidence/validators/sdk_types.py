"""The types of a published client, by pydantic.

A type says which members there are and of what kind, and nothing of what belongs together, so this
judge finds missing members and wrong kinds only. pydantic leaves an `Iterable` unread until someone
walks it: without `walk` nothing inside `messages` or `tools` would be looked at.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from pydantic import TypeAdapter, ValidationError


def refusal(request: dict[str, Any]) -> str | None:
    """Return where a request is not of the type of a Chat Completions request, or None."""
    streamed = request.get("stream") is True
    wanted = CompletionCreateParamsStreaming if streamed else CompletionCreateParamsNonStreaming
    try:
        walk(_adapter(wanted).validate_python(request, strict=True))
    except ValidationError as error:
        return _signature(error)
    return None


def _signature(error: ValidationError) -> str:
    """Return the place and the words of the error that says most.

    Of the members of a union, those that were not meant miss a member or another constant; what
    fails in the one that was meant stands deepest.
    """
    said = error.errors(include_input=False, include_url=False)
    telling = [each for each in said if each["type"] not in ("missing", "literal_error")]
    deepest = max(telling or said, key=lambda each: len(each["loc"]))
    words = [str(part) for part in deepest["loc"] if re.fullmatch(r"\w+", str(part))]
    return f"{'.'.join(words)}: {deepest['msg']}"


@cache
def _adapter(wanted: Any) -> TypeAdapter[Any]:
    return TypeAdapter(wanted)


def walk(value: Any) -> None:
    """Read a validated value to its end, so that what is lazy in it is validated."""
    if isinstance(value, dict):
        for member in value.values():
            walk(member)
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        for element in value:
            walk(element)
