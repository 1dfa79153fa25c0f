"""What a probe asks an endpoint: small requests, each with one thing that some endpoint refuses."""

from typing import Any, Final, NamedTuple

Json = dict[str, Any]

TOOL: Final[Json] = {
    "name": "get_tide",
    "description": "High water in a port.",
    "parameters": {
        "type": "object",
        "properties": {"port": {"type": "string"}},
        "required": ["port"],
        "additionalProperties": False,
    },
}


class Probe(NamedTuple):
    """A request, and what its answer says of the endpoint.

    Attributes:
        name: a name of the list `refuses` of a profile, or of a flag.
        says: what was asked, in words.
        request: what is sent beside the model.
        taken: the value of the flag where it is accepted; of a refusal there is none.
        refused: the value of the flag where it is refused.
    """

    name: str
    says: str
    request: Json
    taken: object = None
    refused: object = None


def said(*messages: Json, **members: Any) -> Json:
    """Return a request whose answer is as short as can be."""
    return {"messages": [USER, *messages], "max_tokens": 1, **members}


def tools(**members: Any) -> list[Json]:
    """Return the tool, with some members of its function changed."""
    return [{"type": "function", "function": {**TOOL, **members}}]


def called(**changed: object) -> Json:
    """Return a message that calls the tool, with some members changed; `...` takes one away."""
    function: Json = {"name": "get_tide", "arguments": '{"port": "Brest"}'}
    call: Json = {"id": "a1b2c3d4e", "type": "function", "function": function}
    message: Json = {"role": "assistant", "content": "", "tool_calls": [call]}
    for name, value in changed.items():
        [owner] = [one for one in (function, call, message) if name in one]
        owner[name] = value
        if value is ...:
            del owner[name]
    return message


def result(content: object = "12:00") -> Json:
    """Return the result of a call."""
    named = {"role": "tool", "tool_call_id": "a1b2c3d4e", "name": "get_tide"}
    return {**named, "content": content}


def past(*messages: Json) -> Json:
    """Return a request whose history has a call in it, or what should be one."""
    return said(*messages, tools=tools())


def stored(**changed: object) -> Json:
    """Return a request whose history has a call with its result; see `called`."""
    return past(called(**changed), result())


def with_reasoning(request: Json) -> Json:
    """Return a request whose messages of the assistant have reasoning, a blank one."""
    messages = [
        {**one, "reasoning_content": BLANK} if one["role"] == "assistant" else one
        for one in request["messages"]
    ]
    return {**request, "messages": messages}


USER: Final[Json] = {"role": "user", "content": "Say yes."}
SYSTEM: Final[Json] = {"role": "system", "content": "Be brief."}
YES: Final[Json] = {"role": "assistant", "content": "Yes."}

BLANK: Final = " "
"""Reasoning that says nothing: an empty text is refused as one that is missing."""

PLAIN: Final = said()
WITH_TOOL: Final = said(tools=tools())
"""What has to be accepted, so that what is refused says something."""

WITH_PAST: Final = Probe(
    "opaque_required",
    "a stored call without the reasoning before it",
    stored(),
    {},
    {"reasoning_content": {"in": "message", "value": BLANK}},
)
"""That too, with or without reasoning: an endpoint whose models think may want it back."""

ANY_OF: Final[Json] = {**TOOL["parameters"], "anyOf": [{"required": ["port"]}]}
DEVELOPER: Final[Json] = {**PLAIN, "messages": [{**SYSTEM, "role": "developer"}, USER]}
PARTS: Final = [{"type": "text", "text": "12:00"}]
UNKNOWN: Final[Json] = {**YES, "commoncall_probe": 1}
ONE_CALL: Final[Json] = {"parallel_tool_calls": False}

PROBES: Final = (
    Probe("tools_empty", "an empty list of tools", said(tools=[])),
    Probe("tools_not_array", "tools that are an object", said(tools={})),
    Probe("choice_without_tools", "`auto` without tools", said(tool_choice="auto")),
    Probe("none_without_tools", "`none` without tools", said(tool_choice="none")),
    Probe("parallel_without_tools", "`parallel_tool_calls` without tools", said(**ONE_CALL)),
    Probe("parameters_incomplete", "parameters without a type", said(tools=tools(parameters={}))),
    Probe("name_aliased", "a tool with a point in its name", said(tools=tools(name="get.tide"))),
    Probe("arguments_invalid_json", "stored arguments, no JSON", stored(arguments='{"port": ')),
    Probe("arguments_absent", "a stored call without arguments", stored(arguments=...)),
    Probe("arguments_not_string", "stored arguments, an object", stored(arguments={"port": "x"})),
    Probe("name_missing", "a stored call without a name", stored(name=...)),
    Probe("name_blank", "a stored call with an empty name", stored(name="")),
    Probe("type_absent", "a stored call without a type", stored(type=...)),
    Probe("id_absent", "a stored call without an id", stored(id=...)),
    Probe("result_missing", "a stored call without a result", past(called(), USER)),
    Probe("result_orphaned", "a result without a call", past(YES, result(), USER)),
    Probe("tool_calls_empty", "an empty list of calls", past({**YES, "tool_calls": []}, USER)),
    Probe("strict_field", "`strict` that is true", said(tools=tools(strict=True)), "any", "none"),
    Probe("content_beside_calls", "a null beside calls", stored(content=None), "any", "string"),
    Probe("system_anywhere", "a late system message", said(YES, SYSTEM, USER), True, "one"),
    Probe("repeated_roles", "two messages of the user in a row", said(USER), True, False),
    Probe("user_after_tool", "a user behind a result", past(called(), result(), USER), True, False),
    Probe("developer_role", "a message of the developer", DEVELOPER, True, False),
    Probe(
        "parallel_field",
        "`parallel_tool_calls` beside tools",
        said(tools=tools(), **ONE_CALL),
        True,
        False,
    ),
    Probe("result_content", "a result in parts", past(called(), result(PARTS)), "parts", "string"),
    Probe(
        "name_start",
        "a name that begins with a digit",
        said(tools=tools(name="2tides")),
        "any",
        "letter",
    ),
    Probe(
        "root_keywords",
        "`anyOf` beside the properties of a tool",
        said(tools=tools(parameters=ANY_OF)),
        "any",
        "none",
    ),
    Probe("unknown_members", "a member that nobody knows", past(UNKNOWN, USER), "any", "none"),
    Probe("assistant_last", "a history that ends with the assistant", said(YES), True, False),
    Probe(
        "effort_beside_tools",
        "`reasoning_effort` beside tools",
        said(tools=tools(), reasoning_effort="low"),
        "any",
        "none",
    ),
)
"""All that is asked."""

ASKED: Final = (
    "Use the tool to look up high water in Brest.",
    "Look up high water in Brest and in Dover, with one call of the tool for each.",
    "Say in a word what you do, and then use the tool for Brest.",
    'Use the tool for the port that is called "St. Peter\'s <Quay> & Co".',
)
"""What makes a model call: plainly, twice, beside words, with signs that markers are made of."""
