"""The sanitizer of a router's outbound payloads, on this package: no choice without tools, no tools
for a model that is not known to take them, and an error in strict mode.
"""

from collections.abc import Mapping
from typing import Any

from commoncall.capability import load_registry, resolve
from commoncall.payload import sanitize_request

Capability = Mapping[str, Any]


def resolve_tool_call_capability(policy: object, provider: str, model_id: str) -> Capability:
    """Return what a policy says that a model takes; nothing where it says nothing."""
    target = {"provider": provider, "model": model_id}
    return resolve([load_registry(policy)], [target])


def sanitize_tool_payload(
    payload: Mapping[str, Any], capability: object, strict_callsite: str = ""
) -> dict[str, Any]:
    """Return the payload that may leave.

    Raises:
        RequestRefusedError: in strict mode, of what should not have come so far, and where from.
    """
    strict: Any = None
    if strict_callsite:
        model = str(payload.get("model"))
        strict = {"provider": "router", "model": model, "callsite": strict_callsite}
    found = sanitize_request(dict(payload), capability=capability, strict=strict)
    sent = found["request"]
    assert isinstance(sent, dict)
    return sent
