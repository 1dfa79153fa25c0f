"""Ten requests that providers refuse, each in the smallest form: do the judges refuse them too?"""

from typing import Any

Json = dict[str, Any]

USER = {"role": "user", "content": "hi"}
SCHEMA = {"type": "object", "properties": {}}
TOOL = {"type": "function", "function": {"name": "read", "parameters": SCHEMA}}
ID = "abcdefgh1"


def _call(name: str = "read", arguments: str = "{}") -> Json:
    function = {"name": name, "arguments": arguments}
    return {"id": ID, "type": "function", "function": function}


def _turn(call: Json, *results: Json) -> Json:
    calling = {"role": "assistant", "content": "", "tool_calls": [call]}
    return {"model": "m", "messages": [USER, calling, *results], "tools": [TOOL]}


RESULT = {"role": "tool", "tool_call_id": ID, "content": "one"}
PLAIN = {"model": "m", "messages": [USER]}

BAD_PAYLOADS: dict[str, Json] = {
    "choice-without-tools": {**PLAIN, "tool_choice": "auto"},
    "tools-empty": {**PLAIN, "tools": []},
    "parallel-without-tools": {**PLAIN, "parallel_tool_calls": True},
    "choice-of-no-tool": {
        **PLAIN,
        "tools": [TOOL],
        "tool_choice": {"type": "function", "function": {"name": "write"}},
    },
    "arguments-empty": _turn(_call(arguments=""), RESULT),
    "arguments-array": _turn(_call(arguments="[1]"), RESULT),
    "name-empty": _turn(_call(name=""), RESULT),
    "result-orphaned": {**PLAIN, "messages": [USER, RESULT], "tools": [TOOL]},
    "call-unanswered": _turn(_call()),
    "calls-empty": {
        **PLAIN,
        "messages": [USER, {"role": "assistant", "content": None, "tool_calls": []}, USER],
    },
}
