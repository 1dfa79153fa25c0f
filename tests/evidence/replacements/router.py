"""The sanitizer of a router's outbound payloads, on this package: no choice without tools, no tools
for a model that is not known to take them, and an error where that should not have come so far.
"""

from collections.abc import Mapping
from typing import Any

from commoncall.capability import load_registry, resolve
from commoncall.payload import sanitize_request

Capability = Mapping[str, Any]
BYPASSED = ("tools_absent", "tools_empty", "tools_not_array", "capability_unsupported")


def resolve_tool_call_capability(policy: object, provider: str, model_id: str) -> Capability:
    """Return what a policy says that a model takes; nothing where it says nothing."""
    target = {"provider": provider, "model": model_id}
    return resolve([load_registry(policy)], [target])


def sanitize_tool_payload(
    payload: Mapping[str, Any], capability: object, strict_callsite: str = ""
) -> dict[str, Any]:
    """Return the payload that may leave.

    Raises:
        ValueError: in strict mode, of what should not have come so far, and where from.
    """
    found = sanitize_request(dict(payload), capability=capability)
    if strict_callsite and any(one["code"] in BYPASSED for one in found["findings"]):
        raise ValueError(f"tools or their choice were not judged before {strict_callsite}")
    sent = found["request"]
    assert isinstance(sent, dict)
    return sent
