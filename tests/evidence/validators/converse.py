"""The service model of the operation Converse, walked: types, required, sizes, patterns, enums.

The validator that ships with the model checks neither patterns nor greatest sizes, though the model
states them. What the service checks beyond its model it does not say: that a request with tool
turns needs `toolConfig`, and which result belongs to which call.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import botocore.session

from tests.evidence.validators.translate import to_converse

PACKAGE = "botocore"


def refusal(request: dict[str, Any]) -> str | None:
    """Return the first thing that the model does not allow, or None."""
    return next(walk(to_converse(request), _input_shape(), ""), None)


@cache
def _input_shape() -> Any:
    model = botocore.session.get_session().get_service_model("bedrock-runtime")
    return model.operation_model("Converse").input_shape


def walk(value: Any, shape: Any, at: str) -> Iterator[str]:
    """Yield each place at which a value is not of its shape."""
    if getattr(shape, "is_document_type", False):
        if not _is_document(value):
            yield f"{at}: no JSON object"
        return
    expected = _TYPES[shape.type_name]
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        yield f"{at}: no {shape.type_name}"
        return
    yield from _bounds(value, shape, at)
    if shape.type_name == "structure":
        yield from _members(value, shape, at)
    elif shape.type_name == "list":
        for number, element in enumerate(value):
            yield from walk(element, shape.member, f"{at}[{number}]")
    elif shape.type_name == "map":
        for key, element in value.items():
            yield from walk(element, shape.value, f"{at}.{key}")


_TYPES: dict[str, Any] = {
    "structure": dict,
    "map": dict,
    "list": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "long": int,
    "float": (int, float),
    "double": (int, float),
    "blob": (bytes, str),
}


def _is_document(value: Any) -> bool:
    # The model takes any document here; the service says `Provide a json object`.
    return isinstance(value, dict)


def _members(value: dict[str, Any], shape: Any, at: str) -> Iterator[str]:
    for name in shape.required_members:
        if name not in value:
            yield f"{at}.{name}: missing"
    for name, member in value.items():
        if name not in shape.members:
            yield f"{at}: unknown member"
        else:
            yield from walk(member, shape.members[name], f"{at}.{name}")
    if getattr(shape, "is_tagged_union", False) and len(value) != 1:
        yield f"{at}: not exactly one member"


def _bounds(value: Any, shape: Any, at: str) -> Iterator[str]:
    limits = shape.metadata
    size = value if isinstance(value, (int, float)) else len(value)
    if "min" in limits and size < limits["min"]:
        yield f"{at}: below {limits['min']}"
    if "max" in limits and size > limits["max"]:
        yield f"{at}: above {limits['max']}"
    if "pattern" in limits and not re.fullmatch(limits["pattern"], value):
        yield f"{at}: not of the pattern"
    if "enum" in limits and value not in limits["enum"]:
        yield f"{at}: none of the values"
