"""The payload contract: what judging costs over reading or writing the same JSON."""

import json

from commoncall.payload import check_tool_call, sanitize_history, sanitize_request
from tests.evidence.bench import Case

Json = dict[str, object]


def cases() -> list[Case]:
    """Return what is measured."""
    return [check_case(), *request_cases(), *history_cases()]


def check_case() -> Case:
    """Return the check of 5,000 calls."""
    arguments = [json.dumps({"city": "Oslo", "days": n, "tags": ["a", "b"]}) for n in range(5000)]
    calls = [{"id": "c", "function": {"name": "f", "arguments": item}} for item in arguments]

    def floor() -> None:
        for item in arguments:
            json.loads(item)

    def candidate() -> None:
        assert all(check_tool_call(call)["valid"] for call in calls)

    return Case("check_tool_call: 5,000 calls", "json.loads of their arguments", floor, candidate)


def request_cases() -> list[Case]:
    """Return the sanitizing of a request of 200 messages and 64 tools, about 200 KB.

    Nothing in its tools has to be changed, which is the usual case and takes every judgement.
    """
    messages = [one for number in range(50) for one in query_of(number)]
    request: Json = {"model": "m", "messages": messages, "tools": [tool(n) for n in range(64)]}
    request |= {"tool_choice": "auto", "parallel_tool_calls": True, "temperature": 0.5}
    supported = {"tool_calls_supported": True}
    profile = {"strict_field": "uniform", "parallel_field": True}

    def floor() -> None:
        json.dumps(request)

    def stripped() -> None:
        sanitized = sanitize_request(request, capability={"tool_calls_supported": False})
        assert len(sanitized["findings"]) == 3

    def judged() -> None:
        assert sanitize_request(request, capability=supported)["request"] == request

    def profiled() -> None:
        sanitized = sanitize_request(request, capability=supported, profile=profile)
        assert sanitized["findings"] == []

    does = "json.dumps of the request"
    return [
        # The border copies the request (ADR-0131), which costs as much as writing and reading it.
        Case("sanitize_request: 64 tools stripped", does, floor, stripped, 2.0),
        Case("sanitize_request: 64 tools judged", does, floor, judged, 3.0),
        Case("sanitize_request: 64 tools judged, with a profile", does, floor, profiled),
    ]


def history_cases() -> list[Case]:
    """Return the sanitizing of 10,000 messages: 2,500 calls of about 900 bytes of arguments.

    The history is clean, as nearly every one is that is sent again. Beside it stand the same one
    behind a broken call, and under the strictest profile, which touches every call.
    """
    arguments = [edit_arguments(number) for number in range(2_500)]
    history = [one for number, text in enumerate(arguments) for one in edit_of(number, text)]
    broken = [{"role": "assistant", "content": None, "tool_calls": [{}]}, *history]

    def floor() -> None:
        for text in arguments:
            json.loads(text)

    def clean() -> None:
        assert sanitize_history(history, disposition="answer")["messages"] == history

    def mended() -> None:
        assert len(sanitize_history(broken, disposition="skip")["messages"]) == len(history)

    def strict() -> None:
        sanitized = sanitize_history(history, disposition="answer", profile={})
        assert len(sanitized["messages"]) == len(history)

    does = "json.loads of their arguments"
    return [
        # The border's copy (ADR-0131) is what the goal is missed by.
        Case("sanitize_history: 10,000 messages", does, floor, clean, 2.0, held=4.0),
        Case("sanitize_history: 10,000 behind a broken call", does, floor, mended),
        Case("sanitize_history: 10,000, strictest profile", does, floor, strict),
    ]


def round_of(
    number: int, question: str, function: dict[str, str], result: str, answer: str
) -> list[Json]:
    """Return four messages: a question, a call, its result and an answer."""
    call = {"id": f"call_{number}", "type": "function", "function": function}
    return [
        {"role": "user", "content": question},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call_{number}", "content": result},
        {"role": "assistant", "content": answer},
    ]


def edit_of(number: int, arguments: str) -> list[Json]:
    """Return the messages of a round in which a file is edited."""
    function = {"name": "edit_file", "arguments": arguments}
    return round_of(number, "Mend it.", function, "ok", "Done.")


def edit_arguments(number: int) -> str:
    """Return the arguments of a call that changes eight lines of a file."""
    edits = [
        {"line": n, "old": "    return value", "new": "    return value + 1", "keep": n % 2 == 0}
        for n in range(8)
    ]
    note = "Take the next value where the old one was returned, in each of the eight places."
    return json.dumps({"path": f"src/part_{number}/module.py", "edits": edits, "note": note})


def query_of(number: int) -> list[Json]:
    """Return the messages of a round with a question of some words."""
    arguments = json.dumps({"query": f"question {number} " * 10, "limit": number})
    question = f"Question {number}: " + "what is there to say? " * 20
    function = {"name": "tool_1", "arguments": arguments}
    result, answer = "One line of it.\n" * 40, "It is as follows. " * 40
    return round_of(number, question, function, result, answer)


def tool(number: int) -> Json:
    """Return a tool of about 1.5 KB, as servers of tools give them."""
    properties: dict[str, Json] = {
        f"field_{n}": {"type": "string", "description": "What it is for, in a few words of prose."}
        for n in range(9)
    }
    properties["mode"] = {"type": "string", "enum": ["fast", "safe", "both"], "default": "safe"}
    parameters = {"type": "object", "properties": properties, "required": ["field_0", "mode"]}
    description = "Does one thing and says so in a sentence. " * 8
    function = {"name": f"tool_{number}", "description": description, "parameters": parameters}
    return {"type": "function", "function": function}
