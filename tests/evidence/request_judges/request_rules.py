"""The rules about the fields of a request: R-1 to R-13 of `strict`."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.evidence.request_judges.flags import Flags, Violation, is_filled_list, is_sent_name
from tests.evidence.request_judges.schema_rules import (
    has_too_many,
    is_loose,
    is_open,
    schema_violations,
)

COMBINATORS: Final = ("oneOf", "anyOf", "allOf", "not", "enum", "$ref")
"""Keywords that one provider or another refuses at the root of a tool's schema."""

_DEPENDENT: Final = {
    "tool_choice": "tools",
    "parallel_tool_calls": "tools",
    "function_call": "functions",
}
"""Members that no provider wants to see without another."""


def field_violations(request: dict[str, Any], flags: Flags) -> Iterator[Violation]:
    """Judge the members of a request but its messages."""
    tools = request.get("tools")
    for name, value in request.items():
        if value is None and name != "messages":
            yield Violation("R-3", name)
    if "tools" in request and not is_filled_list(tools):
        yield Violation("R-1", "tools")
    if "functions" in request and not is_filled_list(request["functions"]):
        yield Violation("R-1", "functions")
    for name, needed in _DEPENDENT.items():
        if name in request and not is_filled_list(request.get(needed)):
            yield Violation("R-1", name)
    if "functions" in request and "tools" in request:
        yield Violation("R-12", "functions")
    if "parallel_tool_calls" in request and not (
        isinstance(request["parallel_tool_calls"], bool) and flags["parallel_field"]
    ):
        yield Violation("R-11", "parallel_tool_calls")
    if isinstance(tools, list):
        yield from _tools(tools, flags)
    if "tool_choice" in request:
        yield from _choice(request["tool_choice"], tools)
    yield from _not_taken(request, flags)


def _not_taken(request: dict[str, Any], flags: Flags) -> Iterator[Violation]:
    choice = request.get("tool_choice")
    kind = "named" if isinstance(choice, dict) else choice
    while_thinking = flags["refused_thinking"] if _thinks(request, flags) else []
    if kind in [*flags["refused_choices"], *while_thinking]:
        yield Violation("R-8", "tool_choice")
    effort = request.get("reasoning_effort")
    has_tools = is_filled_list(request.get("tools"))
    if has_tools and flags["effort_beside_tools"] == "none" and effort != "none":
        yield Violation("R-8", "reasoning_effort")


def _thinks(request: dict[str, Any], flags: Flags) -> bool:
    sent = {name: one for name, one in request.items() if name not in flags["refused_members"]}
    said = [*_said_of_thinking(sent)]
    return any(said) if said else bool(flags["thinks_unasked"])


def _said_of_thinking(members: dict[str, Any]) -> Iterator[bool]:
    for name in ("thinking", "enable_thinking"):
        match members.get(name):
            case bool(value):
                yield value
            case {"type": str(kind)}:
                yield kind not in ("disabled", "adaptive")
    if isinstance(members.get("reasoning_effort"), str):
        yield members["reasoning_effort"] != "none"
    for name in ("extra_body", "chat_template_kwargs"):
        if isinstance(members.get(name), dict):
            yield from _said_of_thinking(members[name])


def _tools(tools: list[Any], flags: Flags) -> Iterator[Violation]:
    functions = []
    for number, tool in enumerate(tools):
        at = f"tools/{number}"
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or tool.get("type") != "function":
            yield Violation("FORM", at)
            continue
        functions.append(function)
        for name, value in [*tool.items(), *function.items()]:
            if value is None:
                yield Violation("R-3", f"{at}/{name}")
        if not is_sent_name(function.get("name"), flags):
            yield Violation("R-5", f"{at}/function/name")
        yield from _schemas(function, flags, f"{at}/function")
        limit = flags["max_description"]
        description = function.get("description", "")
        if not isinstance(description, str) or (limit is not None and len(description) > limit):
            yield Violation("R-13", f"{at}/function/description")
        if not isinstance(function.get("strict", False), bool):
            yield Violation("R-10", f"{at}/function/strict")
    names = [function.get("name") for function in functions]
    if any(name in names[:number] for number, name in enumerate(names)):
        yield Violation("R-6", "tools")
    stated = [function["strict"] for function in functions if "strict" in function]
    all_true = len(stated) == len(functions) and all(value is True for value in stated)
    takes = {"any": True, "uniform": all_true, "none": False}[flags["strict_field"]]
    if (stated and not takes) or _breaks_grammar(functions, flags):
        yield Violation("R-10", "tools")
    if flags["max_tools"] is not None and len(tools) > flags["max_tools"]:
        yield Violation("R-13", "tools")


def _breaks_grammar(functions: list[dict[str, Any]], flags: Flags) -> bool:
    if "strict_grammar" not in flags["refused_in_schemas"]:
        return False
    strict = [each.get("parameters") for each in functions if each.get("strict") is True]
    return any(map(is_loose, strict)) or len(strict) > 20 or has_too_many(strict)


def _schemas(function: dict[str, Any], flags: Flags, at: str) -> Iterator[Violation]:
    schema, refused = function.get("parameters"), flags["refused_in_schemas"]
    if not _is_safe_schema(schema, flags):
        yield Violation("R-4", f"{at}/parameters")
    yield from schema_violations(schema, refused, f"{at}/parameters")
    if "strict_open" in refused and function.get("strict") is True and is_open(schema):
        yield Violation("R-10", f"{at}/strict")


def _is_safe_schema(schema: object, flags: Flags) -> bool:
    """Tell whether the root of a tool's schema is one that all providers take."""
    return (
        isinstance(schema, dict)
        and schema.get("type") == "object"
        and isinstance(schema.get("properties"), dict)
        and _are_names(schema.get("required", []))
        and (
            flags["root_keywords"] == "any" or not any(keyword in schema for keyword in COMBINATORS)
        )
    )


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(name, str) and name not in value[:number] for number, name in enumerate(value)
    )


def _choice(choice: object, tools: object) -> Iterator[Violation]:
    named = _named(choice)
    if named is None:
        if choice not in ("auto", "none", "required"):
            yield Violation("R-8", "tool_choice")
        return
    listed = tools if isinstance(tools, list) else []
    if not any(_named({**tool, "type": "function"}) == named for tool in listed if _is_tool(tool)):
        yield Violation("R-7", "tool_choice")


def _is_tool(tool: object) -> bool:
    return isinstance(tool, dict) and tool.get("type") == "function"


def _named(choice: object) -> str | None:
    """Return the name in a choice (or a tool) of the form {type: function, function: {name}}."""
    match choice:
        case {"type": "function", "function": {"name": str(name)}}:
            return name
    return None


def beyond_capability(request: dict[str, Any], capability: object) -> Iterator[Violation]:
    """Judge the fields against what the model takes (rules R-2, R-8 and R-11)."""
    known = capability if isinstance(capability, dict) else {}
    if known.get("tool_calls_supported") is not True:
        for name in ("tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"):
            if name in request:
                yield Violation("R-2", name)
        return
    stated, choice = known.get("tool_choice"), request.get("tool_choice")
    kind = choice if isinstance(choice, str) else "named"
    if stated is not None and choice is not None and kind not in _known_kinds(stated):
        yield Violation("R-8", "tool_choice")
    parallel = known.get("parallel_tool_calls")
    if parallel is not None and parallel is not True and request.get("parallel_tool_calls") is True:
        yield Violation("R-11", "parallel_tool_calls")


def _known_kinds(stated: object) -> Sequence[object]:
    """Return the kinds of a stated list; one that is not in form states none."""
    kinds = ("auto", "none", "required", "named")
    in_form = isinstance(stated, list) and all(kind in kinds for kind in stated)
    return stated if in_form and isinstance(stated, list) else ()


def tool_turns(messages: object) -> Iterator[Violation]:
    """Find the tool turns in the messages of a request that has no tools (rule R-9)."""
    for number, message in enumerate(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and (message.get("role") == "tool" or "tool_calls" in message):
            yield Violation("R-9", f"messages/{number}")
