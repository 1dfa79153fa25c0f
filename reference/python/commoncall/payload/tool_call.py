"""The check of one tool call: may it be run, and may it stay in the history?

Holds `check_tool_call` and its parts only: PAY-003 to PAY-023 of spec/v1/payload.md.
"""

from typing import Final, Generic, Literal, NamedTuple, TypedDict, TypeVar

from commoncall.envelope import Finding
from commoncall.json_text import JsonTextError, compact, decode, is_blank, too_deep, utf8_length
from commoncall.payload.repaired_json import repaired_object
from commoncall.places import Found, Place, rendered

_CALL: Place = ()
_FUNCTION: Place = ("function",)
_ARGUMENTS: Place = ("function", "arguments")
_NAME: Place = ("function", "name")

CallCode = Literal["call_not_object", "function_missing", "function_not_object"]
NameCode = Literal["name_missing", "name_not_string", "name_blank"]
ArgumentsCode = Literal[
    "arguments_empty",
    "arguments_invalid_json",
    "arguments_not_object",
    "arguments_too_deep",
    "arguments_truncated",
]

AnyFound = TypeVar("AnyFound", Finding, Found)


class Demands(NamedTuple):
    """What a tool requires: whether it is one that requires nothing, and its required names."""

    nothing: bool = False
    names: frozenset[str] = frozenset()


NO_DEMANDS: Final = Demands()
"""What is known of a tool that nobody looked up."""


class Check(TypedDict, Generic[AnyFound]):
    """What the check found; what could not be had is None, and then ``findings`` says why."""

    valid: bool
    name: str | None
    arguments: dict[str, object] | None
    arguments_json: str | None
    findings: list[AnyFound]


ToolCallCheck = Check[Finding]
CallCheck = Check[Found]
"""The same, with the findings as they were found, below the call and in order (PAY-022)."""


def check_tool_call(
    tool_call: object,
    *,
    truncated: bool = False,
    tool: object = None,
) -> ToolCallCheck:
    """Judge one tool call as a model gave it; nothing is repaired and nothing is changed.

    Args:
        tool_call: any JSON; meant is ``{function: {name: str, arguments?: str | dict | None}}``.
        truncated: the provider said that its answer was cut off (PAY-004).
        tool: the definition of the called tool, any JSON: for one that requires nothing, a blank
            arguments text means ``{}``, and a call that was cut off is none without all that its
            tool requires.

    Returns:
        The check. Use ``arguments`` to look into the call, and ``arguments_json`` to run and to
        store it, because only the text keeps every digit. Raises nothing on JSON input.
    """
    check = judge_call(tool_call, truncated, demands_of(tool))
    findings = [rendered(one, "/tool_call") for one in check["findings"]]
    return {**check, "findings": findings}


def judge_call(
    tool_call: object, truncated: bool = False, demands: Demands = NO_DEMANDS
) -> CallCheck:
    """Judge a call wherever it stands, of a tool with these demands."""
    if not isinstance(tool_call, dict):
        return _unreadable("call_not_object", _CALL)
    function = tool_call.get("function")
    if not isinstance(function, dict):
        code: CallCode = "function_missing" if function is None else "function_not_object"
        return _unreadable(code, _FUNCTION)

    findings: list[Found] = []
    given = function.get("arguments")
    read = _read_arguments(given, truncated, demands.nothing)
    if truncated and not isinstance(read, str) and not demands.names <= read[0].keys():
        read = "arguments_truncated"
    if isinstance(read, str):
        findings.append(_unread(given, read))
    arguments, arguments_json = (None, None) if isinstance(read, str) else read

    # After the arguments: findings stand in the order of their places (PAY-022).
    name = function.get("name")
    name_code = _name_code(name)
    if name_code:
        findings.append(Found(_NAME, name_code))
    return {
        "valid": not findings,
        "name": name if isinstance(name, str) and not name_code else None,
        "arguments": arguments,
        "arguments_json": arguments_json,
        "findings": findings,
    }


def judge_repaired(
    tool_call: object, truncated: bool = False, demands: Demands = NO_DEMANDS
) -> CallCheck:
    """Judge a call, with its arguments repaired where that leaves one meaning ("judgement")."""
    check = judge_call(tool_call, truncated, demands)
    if not any(found.repairable for found in check["findings"]):
        return check
    assert isinstance(tool_call, dict)
    function = tool_call["function"]
    repaired = repaired_object(function["arguments"])
    assert repaired is not None
    text, repairs = repaired
    # What is repairable is neither blank nor cut off, so nothing is asked of its tool.
    check = judge_call({**tool_call, "function": {**function, "arguments": text}})
    made = Found(_ARGUMENTS, "arguments_repaired", repairs=repairs)
    return {**check, "findings": [made, *check["findings"]]}


def _unread(given: object, code: ArgumentsCode) -> Found:
    """Return the finding of arguments that cannot be had (PAY-023)."""
    if not isinstance(given, str):
        return Found(_ARGUMENTS, code)
    repairable = code == "arguments_invalid_json" and repaired_object(given) is not None
    return Found(_ARGUMENTS, code, utf8_length(given), repairable)


def _unreadable(code: CallCode, place: Place) -> CallCheck:
    found = [Found(place, code)]
    return CallCheck(valid=False, name=None, arguments=None, arguments_json=None, findings=found)


def _name_code(name: object) -> NameCode | None:
    if name is None:
        return "name_missing"
    if not isinstance(name, str):
        return "name_not_string"
    if is_blank(name):
        return "name_blank"
    return None


def _read_arguments(
    given: object, truncated: bool, blank_allowed: bool
) -> tuple[dict[str, object], str] | ArgumentsCode:
    """Return the arguments as an object and as a text, or the code of why they cannot be had."""
    if given is None:
        return "arguments_truncated" if truncated else ({}, "{}")
    if isinstance(given, dict):
        return _write_object(given)
    if not isinstance(given, str):
        return "arguments_not_object"
    try:
        value = decode(given)
    except JsonTextError as error:
        # Blank or not: what is behind the place where the output was cut is not known (PAY-004).
        if truncated and error.code == "arguments_invalid_json":
            return "arguments_truncated"
        # No blank text is JSON, so only what is none has to be looked at again.
        if is_blank(given):
            return ({}, "{}") if blank_allowed else "arguments_empty"
        return error.code
    if not isinstance(value, dict):
        return "arguments_not_object"
    return value, given


def _write_object(given: dict[str, object]) -> tuple[dict[str, object], str] | ArgumentsCode:
    # The operation refuses so deep an input as a whole; a caller in Python can come here with one.
    if too_deep(given):
        return "arguments_too_deep"
    try:
        text = compact(given)
        decode(text)  # What cannot be read back must not be stored: lone surrogates, overflow.
    except ValueError:
        return "arguments_invalid_json"
    return given, text


def demands_of(tool: object) -> Demands:
    """Return what a tool requires (definition "tool that requires nothing")."""
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict):
        return NO_DEMANDS
    parameters = function.get("parameters")
    if not isinstance(parameters, dict):
        # Some languages write an empty map as `[]`.
        return Demands(parameters is None or parameters == [])
    required = parameters.get("required")
    names = required if isinstance(required, list) else ()
    nothing = required is None or required == []
    return Demands(nothing, frozenset(name for name in names if isinstance(name, str)))
