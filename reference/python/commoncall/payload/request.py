"""The request on its way out: what a provider would refuse is removed, or nothing is sent.

Holds `sanitize_request` and its steps: PAY-031 to PAY-057, PAY-115 and PAY-116 of
spec/v1/payload.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NoReturn, TypedDict

from commoncall.envelope import Error, Finding
from commoncall.json_text import is_blank
from commoncall.payload.capability_form import Support, read_capability
from commoncall.payload.profile import NameStart, Profile, profile_of
from commoncall.payload.request_tools import sent_tools, without_nulls
from commoncall.payload.sent_name import sent_name
from commoncall.places import Reported, findings_of
from commoncall.stated_capability import ChoiceKind

TOOL_FIELDS: Final = ("tools", "tool_choice", "parallel_tool_calls")
LEGACY_FIELDS: Final = ("functions", "function_call")

RequestCode = Literal[
    "capability_unsupported",
    "choice_not_offered",
    "description_cut",
    "description_not_string",
    "name_aliased",
    "null_omitted",
    "parallel_not_boolean",
    "parallel_not_offered",
    "parallel_not_taken",
    "parameters_added",
    "parameters_completed",
    "payload_not_object",
    "schema_unsafe",
    "strict_not_boolean",
    "strict_not_taken",
    "tool_malformed",
    "tools_absent",
    "tools_empty",
    "tools_not_array",
]
Trigger = Literal["choice_without_tools", "tools_without_capability"]


class Strict(TypedDict):
    """Who sends, for the error of a request that should have been clean already."""

    provider: str
    model: str
    callsite: str


class SanitizedRequest(TypedDict):
    """The request to send, the original of each name that was changed, and what was changed."""

    request: object
    aliases: dict[str, str]
    findings: list[Finding]


class RequestRefusedError(Exception):
    """Nothing may be sent. ``error`` says why; the text is its code."""

    def __init__(self, error: Error) -> None:
        super().__init__(error["code"])
        self.error = error


def sanitize_request(
    request: object,
    *,
    capability: object,
    strict: Strict | None = None,
    profile: Mapping[str, object] | None = None,
) -> SanitizedRequest:
    """Return a request of Chat Completions as it may be sent; the given one stays as it is.

    Args:
        request: any JSON; meant is ``{model, messages, tools?, tool_choice?, ...}``.
        capability: ``{tool_calls_supported, tool_choice?, parallel_tool_calls?}`` of the model that
            it goes to; anything but a plain ``true`` means that it takes no tools (PAY-032).
        strict: refuse, in place of mending, what should not have come so far (PAY-053).
        profile: the flags of the endpoint, as JSON (definition "profile"); None where it is not
            known, and then nothing is touched that only some providers refuse.

    Returns:
        The request, with parts shared with the given one; ``{sent: original}`` for the names that
        were changed; and one finding for each member that was removed or changed.

    Raises:
        RequestRefusedError: no request follows from this one (PAY-036 to PAY-040, PAY-053,
            PAY-116).
        ValueError: the profile is none.
    """
    flags = profile_of(profile)
    if not isinstance(request, dict):
        finding: Finding = {"code": "payload_not_object", "path": "/request"}
        return {"request": request, "aliases": {}, "findings": [finding]}
    support = read_capability(capability)
    if strict is not None and (trigger := _bypassed(request, support)):
        raise RequestRefusedError({"code": "sanitizer_bypassed", "trigger": trigger, **strict})

    sent, reported = without_nulls(request, ("request",), keep="messages")
    if not support.tools:
        reported += _remove(sent, TOOL_FIELDS + LEGACY_FIELDS, "capability_unsupported")
    tools = sent_tools(sent.get("tools"), flags)
    reported += tools.removed
    if lack := _lack(sent.get("tools"), filled=bool(tools.tools)):
        reported += _remove(sent, TOOL_FIELDS, lack)
    if lack := _lack(sent.get("functions"), filled=bool(sent.get("functions"))):
        reported += _remove(sent, LEGACY_FIELDS, lack)
    if "tools" in sent:
        _refuse(sent, tools.names, support, flags)
        reported += _remove_unoffered(sent, support, flags)
    if "tools" not in sent:
        return {"request": sent, "aliases": {}, "findings": findings_of(reported)}

    if tools.removed or tools.changed:
        sent["tools"] = tools.tools
    reported += tools.changed
    reported += _send_choice_name(sent, flags.name_start)
    return {"request": sent, "aliases": tools.originals, "findings": findings_of(reported)}


def _bypassed(request: Mapping[str, object], support: Support) -> Trigger | None:
    """Judge the request as given, before anything is removed (PAY-053)."""
    tools, functions = _is_filled(request.get("tools")), _is_filled(request.get("functions"))
    if not tools and request.get("tool_choice") is not None:
        return "choice_without_tools"
    if not functions and request.get("function_call") is not None:
        return "choice_without_tools"
    return "tools_without_capability" if (tools or functions) and not support.tools else None


def _is_filled(listed: object) -> bool:
    return isinstance(listed, list) and bool(listed)


def _lack(listed: object, *, filled: bool) -> RequestCode | None:
    """Say why there is nothing to choose from, if there is nothing (PAY-033, PAY-034)."""
    if listed is None:
        return "tools_absent"
    if not isinstance(listed, list):
        return "tools_not_array"
    return None if filled else "tools_empty"


def _refuse(sent: Mapping[str, object], names: list[str], support: Support, flags: Profile) -> None:
    """Raise the first error that applies to a request with tools (PAY-036 to PAY-041, PAY-116)."""
    if "functions" in sent:
        _raise("legacy_and_tools")
    if flags.max_tools is not None and len(names) > flags.max_tools:
        _raise("too_many_tools")
    if len(set(names)) < len(names):
        _raise("duplicate_tool")
    if "tool_choice" not in sent:
        return
    kind, named = _kind(sent["tool_choice"])
    if kind is None:
        _raise("choice_malformed")
    if kind == "named" and sent_name(named, flags.name_start) not in names:
        _raise("choice_unknown_tool")
    if kind in ("required", "named") and not support.offers(kind):
        # A forced choice is never made a weaker one: the caller counts on the call.
        _raise("choice_unsupported")


def _remove_unoffered(sent: dict[str, object], support: Support, flags: Profile) -> list[Reported]:
    """Remove what model or endpoint do not take and a request can do without."""
    kind, _ = _kind(sent.get("tool_choice"))
    if kind == "auto" and not support.offers(kind):
        reported = _remove(sent, ("tool_choice",), "choice_not_offered")
    elif kind == "none" and not support.offers(kind):
        # Without the tools the model calls none of them; with them alone it would (PAY-043).
        return _remove(sent, TOOL_FIELDS, "choice_not_offered")
    else:
        reported = []
    parallel = sent.get("parallel_tool_calls", False)
    if not isinstance(parallel, bool):
        reported += _remove(sent, ("parallel_tool_calls",), "parallel_not_boolean")
    elif parallel and not support.parallel:
        reported += _remove(sent, ("parallel_tool_calls",), "parallel_not_offered")
    elif not flags.parallel_field:
        reported += _remove(sent, ("parallel_tool_calls",), "parallel_not_taken")
    return reported


def _send_choice_name(sent: dict[str, object], start: NameStart) -> list[Reported]:
    """Put the sent name into a named choice (PAY-049)."""
    choice = sent.get("tool_choice")
    kind, given = _kind(choice)
    if kind != "named" or (name := sent_name(given, start)) == given:
        return []
    assert isinstance(choice, dict)
    sent["tool_choice"] = {**choice, "function": {**choice["function"], "name": name}}
    return [(("request", "tool_choice", "function", "name"), "name_aliased")]


def _kind(choice: object) -> tuple[ChoiceKind | None, str]:
    """Return the kind of a choice, and the name in it (definition "kind of choice")."""
    match choice:
        case "auto" | "none" | "required":
            return choice, ""
        case {"type": "function", "function": {"name": str(name)}} if not is_blank(name):
            return "named", name
    return None, ""


def _remove(sent: dict[str, object], names: Iterable[str], code: RequestCode) -> list[Reported]:
    present = [name for name in names if name in sent]
    for name in present:
        del sent[name]
    return [(("request", name), code) for name in present]


def _raise(code: str) -> NoReturn:
    raise RequestRefusedError({"code": code})
