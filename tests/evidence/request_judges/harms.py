"""What happens to requests and histories on their way: one small function for each harm.

A harm changes a request in place, once, at a place that `pick` chooses, and leaves it alone where
it has no such place. Each names the rule of `strict` that the empty profile then finds broken. They
were collected from reports: compaction that cuts a pair, filters that drop one half of it, servers
that give every call the same id, serialisers that write null for what is not set.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Request = dict[str, Any]
Pick = Callable[[Sequence[Any]], Any]
"""Chooses one of a non-empty sequence."""


class Harm(NamedTuple):
    """A harm, and the rule that it breaks."""

    rule: str
    apply: Callable[[Request, Pick], None]


HARMS: dict[str, Harm] = {}


def harm(rule: str) -> Callable[[Callable[[Request, Pick], None]], Callable[[Request, Pick], None]]:
    """Put a function on the list, under its own name."""

    def put(apply: Callable[[Request, Pick], None]) -> Callable[[Request, Pick], None]:
        HARMS[apply.__name__] = Harm(rule, apply)
        return apply

    return put


# --- where a harm can be done ---------------------------------------------------------------------


def tools(request: Request) -> list[Any]:
    listed = request.get("tools")
    return [tool for tool in listed if _has_function(tool)] if isinstance(listed, list) else []


def calls(request: Request) -> list[Any]:
    return [
        call
        for message in _of_role(request, "assistant")
        for call in (message.get("tool_calls") or [])
        if _has_function(call)
    ]


def results(request: Request) -> list[Any]:
    return _of_role(request, "tool")


def _of_role(request: Request, *roles: str) -> list[Any]:
    return [
        each for each in request["messages"] if isinstance(each, dict) and each.get("role") in roles
    ]


def _callers(request: Request) -> list[Any]:
    return [message for message in _of_role(request, "assistant") if message.get("tool_calls")]


def _has_function(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("function"), dict)


def _on_function(places: Callable[[Request], list[Any]], member: str, *values: Any) -> Any:
    """Make a harm that gives a member of a `function` one of the values."""

    def apply(request: Request, pick: Pick) -> None:
        if found := places(request):
            pick(found)["function"][member] = pick(values)

    return apply


def _on(places: Callable[[Request], list[Any]], member: str, *values: Any) -> Any:
    def apply(request: Request, pick: Pick) -> None:
        if found := places(request):
            pick(found)[member] = pick(values)

    return apply


def _without(places: Callable[[Request], list[Any]], *members: str) -> Any:
    def apply(request: Request, pick: Pick) -> None:
        if found := places(request):
            place = pick(found)
            for member in members[:-1]:
                place = place[member]
            place.pop(members[-1], None)

    return apply


def _whole(member: str, *values: Any) -> Any:
    def apply(request: Request, pick: Pick) -> None:
        request[member] = pick(values)

    return apply


def _position(request: Request, message: Any) -> int:
    return next(at for at, each in enumerate(request["messages"]) if each is message)


# --- the fields of a request ----------------------------------------------------------------------

NAMED = {"type": "function", "function": {"name": "no_such_tool"}}
LEGACY = [{"name": "read", "parameters": {"type": "object", "properties": {}}}]
ANY_OF = {"type": "object", "properties": {}, "anyOf": [{"required": ["p"]}]}


HARMS |= {
    "tools_empty": Harm("R-1", _whole("tools", [])),
    "tools_null": Harm("R-3", _whole("tools", None)),
    "tools_no_list": Harm("R-1", _whole("tools", {})),
    "choice_null": Harm("R-3", _whole("tool_choice", None)),
    "choice_any": Harm("R-8", _whole("tool_choice", "any", {"type": "tool", "name": "read"})),
    "choice_of_no_tool": Harm("R-7", _whole("tool_choice", NAMED)),
    "parallel_no_boolean": Harm("R-11", _whole("parallel_tool_calls", "true", 1)),
    "parallel": Harm("R-11", _whole("parallel_tool_calls", True, False)),
    "legacy_beside_tools": Harm("R-12", _whole("functions", LEGACY)),
    "legacy_empty": Harm("R-1", _whole("functions", [])),
    "legacy_choice": Harm("R-1", _whole("function_call", "auto")),
    "tools_in_extra_body": Harm(
        "R-15",
        _whole("extra_body", {"tools": []}, {"functions": LEGACY}, {"extra_body": {"tools": []}}),
    ),
    "tools_for_the_template": Harm("R-15", _whole("chat_template_kwargs", {"tools": LEGACY})),
    "tool_name": Harm("R-5", _on_function(tools, "name", "fs.read", "a b", "x" * 65, "ж")),
    "tool_name_starts": Harm("R-5", _on_function(tools, "name", "_read", "9read", "-read")),
    "tool_nameless": Harm("R-5", _on_function(tools, "name", "", " ", None, 7)),
    "tool_of_other_type": Harm("FORM", _on(tools, "type", "web_search", None)),
    "tool_without_function": Harm("FORM", _without(tools, "function")),
    "parameters_absent": Harm("R-4", _without(tools, "function", "parameters")),
    "parameters_null": Harm("R-3", _on_function(tools, "parameters", None)),
    "parameters_root": Harm(
        "R-4", _on_function(tools, "parameters", ANY_OF, {"type": "array"}, [], "{}")
    ),
    "parameters_incomplete": Harm(
        "R-4", _on_function(tools, "parameters", {}, {"type": "object", "properties": []})
    ),
    "strict": Harm("R-10", _on_function(tools, "strict", True, False, "true")),
    "strict_null": Harm("R-3", _on_function(tools, "strict", None)),
    "description_long": Harm("R-13", _on_function(tools, "description", "zq9secret" * 200)),
    "description_null": Harm("R-3", _on_function(tools, "description", None)),
}  # fmt: skip


@harm("R-1")
def choice_without_tools(request: Request, pick: Pick) -> None:
    request.pop("tools", None)
    request["tool_choice"] = pick(["auto", "none", "required"])


@harm("R-1")
def parallel_without_tools(request: Request, pick: Pick) -> None:
    request.pop("tools", None)
    request["parallel_tool_calls"] = pick([True, False])


@harm("R-6")
def tool_twice(request: Request, pick: Pick) -> None:
    if tools(request):
        request["tools"].append(pick(tools(request)))


@harm("R-13")
def many_tools(request: Request, pick: Pick) -> None:
    if tools(request):
        one = tools(request)[0]
        request["tools"] += [
            {**one, "function": {**one["function"], "name": f"t{number}"}} for number in range(128)
        ]


# --- calls ----------------------------------------------------------------------------------------

BROKEN = ("", " ", "not json", '{"p": "zq9secret"', "{} trailing", '{"x": NaN}', '{"x": "\\ud800"}')
OBJECT = {"p": "zq9secret"}
NO_OBJECT = ("[1]", "null", '"zq9secret"', "42", "true")

HARMS |= {
    "arguments_broken": Harm("H-5", _on_function(calls, "arguments", *BROKEN)),
    "arguments_no_object": Harm("H-5", _on_function(calls, "arguments", *NO_OBJECT)),
    "arguments_not_text": Harm("H-5", _on_function(calls, "arguments", None, OBJECT, 3)),
    "arguments_absent": Harm("H-5", _without(calls, "function", "arguments")),
    "name_empty": Harm("H-8", _on_function(calls, "name", "", " ", None, {})),
    "name_absent": Harm("H-8", _without(calls, "function", "name")),
    "name_unsent": Harm("R-5", _on_function(calls, "name", "fs.read", "functions.read:0", "9read")),
    "type_absent": Harm("H-8", _without(calls, "type")),
    "function_absent": Harm("H-8", _without(calls, "function")),
    "call_member": Harm("H-13", _on(calls, "index", 0)),
    "id_absent": Harm("H-7", _without(calls, "id")),
    "id_unusable": Harm("H-7", _on(calls, "id", "", " ", None, 5)),
}  # fmt: skip


@harm("H-7")
def id_of_one_server(request: Request, pick: Pick) -> None:
    """Give a pair an id that only some servers take, in call and result."""
    if found := calls(request):
        call = pick(found)
        identifier = pick(["functions.read:0", "call_" + "x" * 60, "id with blank", "ж"])
        for result in results(request):
            if result.get("tool_call_id") == call.get("id"):
                result["tool_call_id"] = identifier
        call["id"] = identifier


@harm("H-7")
def ids_alike(request: Request, pick: Pick) -> None:
    """Restart the ids: every call and every result has the same one."""
    for call in calls(request):
        call["id"] = "call_0"
    for result in results(request):
        result["tool_call_id"] = "call_0"


@harm("H-9")
def calls_empty(request: Request, pick: Pick) -> None:
    if found := _of_role(request, "assistant"):
        pick(found)["tool_calls"] = pick([[], None, {}])


@harm("H-9")
def calls_of_a_user(request: Request, pick: Pick) -> None:
    if (found := _of_role(request, "user")) and calls(request):
        pick(found)["tool_calls"] = [pick(calls(request))]


@harm("H-8")
def call_no_object(request: Request, pick: Pick) -> None:
    if found := _callers(request):
        pick(found)["tool_calls"].append(pick([None, "read", [], 5]))


# --- results --------------------------------------------------------------------------------------

PARTS = [{"type": "text", "text": "zq9secret"}]
MEDIA = (
    {"type": "image_url", "image_url": {"url": "zq9secret"}},
    {"type": "image", "data": "zq9secret"},
)

HARMS |= {
    "result_content": Harm("H-12", _on(results, "content", None, {"p": "zq9secret"}, 5, [], [1])),
    "result_parts": Harm("H-12", _on(results, "content", PARTS)),
    "result_media": Harm("H-12", _on(results, "content", *([*PARTS, each] for each in MEDIA))),
    "result_without_name": Harm("H-15", _without(results, "name")),
    "result_with_other_name": Harm("H-15", _on(results, "name", "other", "fs.read", "", None)),
    "result_with_other_id": Harm("H-3", _on(results, "tool_call_id", "zq9secret", "", None)),
}


@harm("H-2")
def result_lost(request: Request, pick: Pick) -> None:
    if found := results(request):
        del request["messages"][_position(request, pick(found))]


@harm("H-3")
def result_twice(request: Request, pick: Pick) -> None:
    if found := results(request):
        one = pick(found)
        request["messages"].insert(_position(request, one) + 1, dict(one))


@harm("H-3")
def result_at_the_end(request: Request, pick: Pick) -> None:
    """Give a result that came late another place: a turn that answered twice."""
    if found := results(request):
        request["messages"].append(dict(pick(found)))


@harm("H-3")
def result_before_its_call(request: Request, pick: Pick) -> None:
    if found := results(request):
        one = pick(found)
        request["messages"].remove(one)
        request["messages"].insert(0, one)


@harm("H-1")
def message_between(request: Request, pick: Pick) -> None:
    if found := results(request):
        role = pick(["system", "user", "developer"])
        at = _position(request, pick(found))
        request["messages"].insert(at, {"role": role, "content": "zq9secret"})


@harm("H-2")
def answer_between(request: Request, pick: Pick) -> None:
    if found := results(request):
        at = _position(request, pick(found))
        request["messages"].insert(at, {"role": "assistant", "content": "zq9secret"})


# --- messages -------------------------------------------------------------------------------------


def users(request: Request) -> list[Any]:
    return _of_role(request, "user")


def _in_words(request: Request) -> list[Any]:
    """Return what users say in a string: no provider takes a picture in a system message."""
    return [message for message in users(request) if isinstance(message.get("content"), str)]


THINKING = [{"type": "thinking", "thinking": "zq9secret", "signature": "s"}]


def assistants(request: Request) -> list[Any]:
    return _of_role(request, "assistant")


HARMS |= {
    "content_null_beside_calls": Harm("H-10", _on(_callers, "content", None)),
    "content_absent_beside_calls": Harm("H-10", _without(_callers, "content")),
    "content_odd_beside_calls": Harm("H-10", _on(_callers, "content", [], 5, {}, PARTS)),
    "content_thinking": Harm("H-6", _on(assistants, "content", THINKING)),
    "member_of_one_provider": Harm("H-13", _on(assistants, "reasoning_content", "zq9secret", "")),
    "role_developer": Harm("FORM", _on(_in_words, "role", "developer")),
    "name_no_string": Harm("FORM", _on(users, "name", None, 7, ["zq9secret"])),
    "words_no_text": Harm("FORM", _on(users, "content", None, [], 7, False, {"p": "zq9secret"})),
    "words_absent": Harm("FORM", _without(users, "content")),
    "legacy_call": Harm("R-12", _on(assistants, "function_call", {"name": "read"}, None)),
}


@harm("H-9")
def assistant_empty(request: Request, pick: Pick) -> None:
    at = pick(range(1, len(request["messages"]) + 1))
    request["messages"].insert(at, {"role": "assistant", "content": pick([None, "", []])})


@harm("FORM")
def message_foreign(request: Request, pick: Pick) -> None:
    at = pick(range(len(request["messages"]) + 1))
    foreign: list[Any] = [
        None,
        "zq9secret",
        [],
        {},
        {"role": "function", "content": "zq9secret"},
        {"role": 5},
    ]
    request["messages"].insert(at, pick(foreign))


@harm("H-11")
def user_after_result(request: Request, pick: Pick) -> None:
    """Let the user speak where the last result stands."""
    if found := results(request):
        at = _position(request, pick(found))
        while at < len(request["messages"]) and request["messages"][at] in found:
            at += 1
        request["messages"].insert(at, {"role": "user", "content": "zq9secret"})


@harm("H-11")
def system_late(request: Request, pick: Pick) -> None:
    request["messages"].append({"role": pick(["system", "developer"]), "content": "zq9secret"})


@harm("H-11")
def said_twice(request: Request, pick: Pick) -> None:
    """Send what was said once more, as a client that tries again; perhaps under another name."""
    said = [each for each in users(request) + assistants(request) if not each.get("tool_calls")]
    if said:
        one = pick(said)
        again = pick([dict(one), {**one, "name": "zq9secret"}])
        request["messages"].insert(_position(request, one) + 1, again)


@harm("H-11")
def begun_by_the_assistant(request: Request, pick: Pick) -> None:
    first = users(request)[:1]
    if first:
        greeting = {"role": "assistant", "content": "zq9secret"}
        request["messages"].insert(_position(request, first[0]), greeting)


@harm("H-11")
def calls_at_once(request: Request, pick: Pick) -> None:
    """Answer two calls of one message."""
    callers = [each for each in _callers(request) if isinstance(each["tool_calls"], list)]
    if callers:
        one = pick(callers)
        calls = [each for each in one["tool_calls"] if isinstance(each, dict)][:1]
        more = [{**each, "id": "zq9secre2"} for each in calls]
        answers = [{"role": "tool", "tool_call_id": "zq9secre2", "content": "b"} for _ in more]
        one["tool_calls"] = [*one["tool_calls"], *more]
        at = _position(request, one) + 1
        request["messages"][at:at] = answers


@harm("H-3")
def cut_at_the_front(request: Request, pick: Pick) -> None:
    """Compact: what stands before a result goes, its call among it."""
    if found := results(request):
        del request["messages"][: _position(request, pick(found))]


@harm("H-2")
def cut_at_the_end(request: Request, pick: Pick) -> None:
    """Stop between a call and its result."""
    if found := results(request):
        del request["messages"][_position(request, pick(found)) :]
