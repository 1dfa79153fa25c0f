"""Which registered tools the policies leave.

Holds `effective_tools` and its parts only: CAP-024 and CAP-030 of spec/v1/capability.md.
"""

from collections.abc import Sequence
from typing import TypedDict

from commoncall.envelope import Finding

_MEMBERS = {"allow", "exclude"}


class EffectiveTools(TypedDict):
    """The names that are left, in the order of their registration, and what could not be read."""

    effective: list[str]
    findings: list[Finding]


def effective_tools(registered: Sequence[str], layers: Sequence[object]) -> EffectiveTools:
    """Narrow the registered tools, which are names, by every layer of policy.

    Args:
        registered: the names of the tools that the runtime has.
        layers: any JSON; meant are ``{allow?: None | [str], exclude?: [str]}`` (CAP-024).
    """
    findings: list[Finding] = []
    allowed: set[str] = set(registered)
    for number, layer in enumerate(layers):
        if not isinstance(layer, dict) or not _is_policy(layer):
            findings.append({"code": "layer_malformed", "path": f"/layers/{number}"})
            allowed = set()
            continue
        if layer.get("allow") is not None:
            allowed &= set(layer["allow"])
        allowed -= set(layer.get("exclude", ()))

    names = dict.fromkeys(registered)
    return {"effective": [name for name in names if name in allowed], "findings": findings}


def _is_policy(layer: dict[str, object]) -> bool:
    """Tell whether a layer can be read (definition "policy layer")."""
    if not layer or not layer.keys() <= _MEMBERS:
        return False
    lists = [layer[name] for name in layer if name == "exclude" or layer[name] is not None]
    return all(map(_are_strings, lists))


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
