"""The root of a tool's parameters: what every provider takes there, and what it may lack.

Definition "safe parameters" and PAY-111 of spec/v1/payload.md. Nothing below the root is read.
"""

from typing import Any, Final, Literal

NEVER: Final = frozenset(("oneOf", "anyOf", "allOf", "not", "enum", "$ref"))
_JUDGED: Final = NEVER | {"type", "properties", "required"}

Root = Literal["absent", "whole", "lacking", "unsafe"]
"""There are no parameters; they can be sent as they are; completed; not at all."""


def judge_root(parameters: object) -> Root:
    """Say what can be done with the `parameters` of a function."""
    if not isinstance(parameters, dict):
        # Some languages write an empty map as `[]`.
        return "absent" if parameters is None or parameters == [] else "unsafe"
    kind, properties = parameters.get("type"), parameters.get("properties")
    required = parameters.get("required")
    if kind != "object" and kind is not None:
        return "unsafe"
    if not isinstance(properties, dict) and properties is not None and properties != []:
        return "unsafe"
    if required is not None and not _are_distinct(required):
        return "unsafe"
    if NEVER.isdisjoint(parameters):
        is_whole = required is not None or "required" not in parameters
    elif any(parameters.get(name) is not None for name in NEVER):
        return "unsafe"
    else:
        is_whole = False
    return "whole" if is_whole and kind and isinstance(properties, dict) else "lacking"


def completed(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters that lack something as those of an object (PAY-111)."""
    stated = {
        name: value
        for name, value in parameters.items()
        if value is not None or name not in _JUDGED
    }
    return {**stated, "type": "object", "properties": stated.get("properties") or {}}


def _are_distinct(names: object) -> bool:
    if not isinstance(names, list):
        return False
    for name in names:
        if not isinstance(name, str):
            return False
    return len(names) < 2 or len(set(names)) == len(names)
