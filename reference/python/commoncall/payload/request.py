"""The request on its way out: what a provider would refuse is removed, or nothing is sent.

Holds `sanitize_request`: PAY-032 to PAY-056, PAY-159 and PAY-245 of spec/v1/payload.md.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn, TypedDict

from commoncall.envelope import Finding, RefusedInput
from commoncall.json_text import encodable, is_blank
from commoncall.payload.foreign_form import refuse_foreign_request
from commoncall.payload.profile import GivenProfile, Profile, profile_of
from commoncall.payload.request_tools import kept_tools, sent_tools, without_nulls
from commoncall.payload.sanitizing import Run
from commoncall.payload.sent_name import sent_name
from commoncall.payload.thinking import thinks, without_thinking
from commoncall.stated_capability import (
    ChoiceKind,
    choice_word,
    offers,
    stated_parallel,
    supports,
)

_TOOL_FIELDS: Final = ("tools", "tool_choice", "parallel_tool_calls")
_LEGACY_FIELDS: Final = ("functions", "function_call")


class SanitizedRequest(TypedDict):
    """The request to send, the original of each name that was changed by the sent one, and what was
    removed or changed.
    """

    request: object
    aliases: dict[str, str]
    findings: list[Finding]


class RequestRefusedError(RefusedInput):
    """Nothing may be sent. ``error`` says why; the text is its code."""


def sanitize_request(
    request: object,
    *,
    capability: object,
    profile: GivenProfile | None = None,
) -> SanitizedRequest:
    """Return a request of Chat Completions as it may be sent, with parts shared with the given one.

    Args:
        request: any JSON; meant is ``{model, messages, tools?, tool_choice?, ...}``.
        capability: ``{tool_calls_supported, tool_choice?, parallel_tool_calls?}`` of the model that
            it goes to; anything but a plain ``true`` means that it takes no tools (PAY-032).
        profile: the flags of the endpoint, as JSON (definition "profile"); None where it is not
            known, and then nothing is touched that only some providers refuse.

    Raises:
        ForeignFormError: the request has the form of another interface (PAY-167).
        RequestRefusedError: no request follows from this one (PAY-041).
        ValueError: the profile is no profile.
    """
    run = Run(profile_of(profile))
    refuse_foreign_request(request, takes_tools=supports(capability))
    sent, aliases = clean_request(request, capability, run)
    sent = encoded(sent, run)
    return {"request": sent, "aliases": aliases, "findings": run.rendered(request)}


def clean_request(request: object, capability: object, run: Run) -> tuple[object, dict[str, str]]:
    """Return a request that `encoded` makes the one to send, and the original of each name.

    Findings begin at `request`.
    """
    if not isinstance(request, dict):
        run.report(("request",), "payload_not_object")
        return request, {}
    stated = without_nulls(request, ("request",), run.findings, keep="messages")
    sent = _with_taken_members(stated, run)
    if not supports(capability):
        _remove(sent, _TOOL_FIELDS + _LEGACY_FIELDS, "capability_unsupported", run)
    listed = sent.get("tools")
    kept = [*kept_tools(listed, run)] if isinstance(listed, list) else []
    # A list of which nothing is kept is as good as an empty one.
    if lack := _lack(listed) or _lack(kept):
        _remove(sent, _TOOL_FIELDS, lack, run)
    if lack := _lack(sent.get("functions")):
        _remove(sent, _LEGACY_FIELDS, lack, run)
    if "tools" in sent:
        names = [sent_name(tool["function"]["name"], run.profile.name_start) for _, tool, _ in kept]
        refused = _refused_choices(sent, run.profile)
        nearest = _nearest_choice(sent.get("tool_choice"), names, capability, refused, run.profile)
        if nearest is not None:
            number, sent["tool_choice"] = nearest
            run.report(("request", "tool_choice"), "choice_replaced")
            for position, *_ in kept[:number] + kept[number + 1 :]:
                run.report(("request", "tools", position), "choice_replaced")
            kept = [kept[number]]  # `names` stays: the errors count what goes here, too (PAY-041).
        refused = _take_thinking(sent, refused, run)
        _refuse(sent, names, capability, refused, run.profile)
        _remove_unoffered(sent, capability, refused, run)
    if "tools" not in sent:
        return sent, {}

    tools = sent_tools(kept, run)
    if tools.changes.found or len(tools.tools) < len(sent["tools"]):
        sent["tools"] = tools.tools  # else it is the list that was given
    run.findings.extend(tools.changes.found)
    _send_choice_word(sent, run)
    _send_choice_name(sent, run)
    if run.profile.effort_beside_tools == "none" and sent.get("reasoning_effort") != "none":
        sent["reasoning_effort"] = "none"
        run.report(("request", "reasoning_effort"), "effort_not_taken")
    if run.profile.effort_beside_tools == "some" and sent.get("reasoning_effort", "none") != "none":
        run.report(("request", "reasoning_effort"), "effort_in_doubt")
    return sent, tools.originals


def _with_taken_members(sent: dict[str, Any], run: Run) -> dict[str, Any]:
    """Return a copy of a request without the members that the endpoint refuses (PAY-245)."""
    refused = run.profile.refused_members
    gone = {name: refused[name] for name in sent.keys() & refused.keys() - {"messages"}}
    kept = {name: value for name, value in sent.items() if name not in gone}
    # A new name is free where one member gets it, and neither request nor flag has it too.
    others = Counter([*gone.values(), *sent, *refused])
    for name, other in gone.items():
        code = "member_not_taken"
        if other is not None and others[other] == 1:
            code, kept[other] = "member_renamed", sent[name]
        run.report(("request", name), code)
    return kept


def encoded(sent: object, run: Run) -> object:
    """Return a request in which every text has UTF-8 (PAY-159)."""
    if not isinstance(sent, dict):
        return sent
    written = encodable(sent)
    assert isinstance(written, dict)
    changed = [name for name, value in sent.items() if written.get(name) != value]
    for place in {("request", name) if name in written else ("request",) for name in changed}:
        run.report(place, "surrogate_replaced")
    return written


def _lack(listed: object) -> str | None:
    """Say why there is nothing to choose from, if there is nothing (PAY-032)."""
    if listed is None:
        return "tools_absent"
    if not isinstance(listed, list):
        return "tools_not_array"
    return None if listed else "tools_empty"


def _refused_choices(sent: Mapping[str, object], flags: Profile) -> frozenset[ChoiceKind]:
    """Return the kinds of choice that the endpoint refuses (definition "offered choice")."""
    if not thinks(sent, flags.thinks_unasked):
        return flags.refused_choices
    return flags.refused_choices | flags.refused_thinking


def _nearest_choice(
    choice: object,
    names: list[str],
    capability: object,
    refused: frozenset[ChoiceKind],
    flags: Profile,
) -> tuple[int, object] | None:
    """Return a tool, by its number, and the choice that says beside it alone the same as a forced
    one that the endpoint refuses (PAY-042).
    """
    kind, given = _kind(choice)
    other: ChoiceKind
    if kind == "required" and len(names) == 1:
        other, name = "named", names[0]
    elif kind == "named":
        other, name = "required", sent_name(given, flags.name_start)
    else:
        return None
    if kind not in refused or other in refused or names.count(name) != 1:
        return None
    if not offers(capability, kind) or not offers(capability, other):
        return None
    named = {"type": "function", "function": {"name": name}}
    return names.index(name), other if other == "required" else named


def _take_thinking(
    sent: dict[str, object], refused: frozenset[ChoiceKind], run: Run
) -> frozenset[ChoiceKind]:
    """Switch thinking off for a forced choice that is refused beside it (PAY-042).

    Returns the kinds that are refused then, which are those without thinking: where the choice
    still is one, `_refuse` says so.
    """
    kind, _ = _kind(sent.get("tool_choice"))
    if kind not in ("required", "named") or kind not in refused:
        return refused
    quiet, places = without_thinking(sent, run.profile.thinks_unasked)
    sent.clear()
    sent.update(quiet)
    for place in places:
        run.report(("request", *place), "thinking_disabled")
    return run.profile.refused_choices


def _refuse(
    sent: Mapping[str, object],
    names: list[str],
    capability: object,
    refused: frozenset[ChoiceKind],
    flags: Profile,
) -> None:
    """Raise the first error that applies to a request with tools (PAY-041)."""
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
    if kind in ("required", "named") and (kind in refused or not offers(capability, kind)):
        # A forced choice is never made a weaker one: the caller counts on the call.
        _raise("choice_unsupported")


def _remove_unoffered(
    sent: dict[str, object], capability: object, refused: frozenset[ChoiceKind], run: Run
) -> None:
    """Remove what model or endpoint do not take and a request can do without."""
    kind, _ = _kind(sent.get("tool_choice"))
    if kind == "auto" and not offers(capability, kind):
        _remove(sent, ("tool_choice",), "choice_not_offered", run)
    elif kind == "none" and (kind in refused or not offers(capability, kind)):
        # Without the tools the model calls none of them; with them alone it would (PAY-042).
        _remove(sent, _TOOL_FIELDS, "choice_not_offered", run)
    parallel = sent.get("parallel_tool_calls", False)
    if not isinstance(parallel, bool):
        _remove(sent, ("parallel_tool_calls",), "parallel_not_boolean", run)
    elif parallel and stated_parallel(capability) is False:
        _remove(sent, ("parallel_tool_calls",), "parallel_not_offered", run)
    elif not run.profile.parallel_field:
        _remove(sent, ("parallel_tool_calls",), "parallel_not_taken", run)


def _send_choice_word(sent: dict[str, object], run: Run) -> None:
    """Say a choice as a string where it is an object that says no more (PAY-047)."""
    choice = sent.get("tool_choice")
    if (word := choice_word(choice)) is not choice:
        sent["tool_choice"] = word
        run.report(("request", "tool_choice"), "choice_coerced")


def _send_choice_name(sent: dict[str, object], run: Run) -> None:
    """Put the sent name into a named choice (PAY-047)."""
    choice = sent.get("tool_choice")
    kind, given = _kind(choice)
    if kind != "named" or (name := sent_name(given, run.profile.name_start)) == given:
        return
    assert isinstance(choice, dict)
    sent["tool_choice"] = {**choice, "function": {**choice["function"], "name": name}}
    run.report(("request", "tool_choice", "function", "name"), "name_aliased")


def _kind(choice: object) -> tuple[ChoiceKind | None, str]:
    """Return the kind of a choice, and the name in it (definition "offered choice")."""
    choice = choice_word(choice)
    match choice:
        case "auto" | "none" | "required":
            return choice, ""
        case {"type": "function", "function": {"name": str(name)}} if not is_blank(name):
            return "named", name
    return None, ""


def _remove(sent: dict[str, object], names: Iterable[str], code: str, run: Run) -> None:
    for name in names:
        if name in sent:
            del sent[name]
            run.report(("request", name), code)


def _raise(code: str) -> NoReturn:
    raise RequestRefusedError({"code": code})
