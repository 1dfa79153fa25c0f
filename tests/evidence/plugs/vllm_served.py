"""vLLM's own server with the parsers of `commoncall`, loaded by the flags that the page says.

    python -m tests.evidence.plugs.vllm_served

Its request handling gets texts of public reports as the tokens of a reply, and has to answer with
the calls in them. Exit status 1 where it does not.
"""

import http.client
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.evidence.servers.live import Started, running, vllm_command
from tests.serve.leaks import LEAKS, TOOL, Leak

PAGE: Final = Path("spec/use/vllm.md")


def flags() -> list[str]:
    """Return the flags of the command on the page."""
    command = re.search(r"^vllm serve \S+ (.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    assert command is not None
    return command[1].replace("\\\n", " ").split()


def asked(connection: http.client.HTTPConnection, path: str, request: object) -> Any:
    """Return the answer to a request."""
    connection.request("POST", path, json.dumps(request), {"Content-Type": "application/json"})
    return json.loads(connection.getresponse().read())


def answered(connection: http.client.HTTPConnection, leak: Leak) -> tuple[object, object]:
    """Return the content and the calls of the message that a client of the server gets."""
    text = {"model": leak.model, "prompt": leak.text, "add_special_tokens": False}
    tokens = asked(connection, "/tokenize", text)["tokens"]
    choice = {"index": 0, "token_ids": tokens, "finish_reason": "stop"}
    messages = [{"role": "user", "content": "q"}]
    request = {
        "model": leak.model,
        "generate_response": {"request_id": "r", "choices": [choice]},
        "chat_request": {"model": leak.model, "messages": messages, "tools": [TOOL]},
    }
    reply = asked(connection, "/v1/chat/completions/derender", request)
    message = reply["choices"][0]["message"]
    calls = [one["function"] for one in message.get("tool_calls") or ()]
    found = tuple((one["name"], json.loads(one["arguments"])) for one in calls)
    return (message["content"] or "").strip() or None, found


def wrong() -> Iterator[str]:
    """Yield what is answered otherwise than its reporter would say."""
    with tempfile.TemporaryDirectory() as folder:
        command = vllm_command(Path(folder), *dict.fromkeys(leak.model for leak in LEAKS))
        with running(Started("vllm", "vLLM", command, flags(), "")) as connection:
            for leak in LEAKS:
                found = answered(connection, leak)
                if found != (leak.content, leak.calls):
                    yield f"{leak.report}: {found}"


if __name__ == "__main__":
    told = [*wrong()]
    print(f"{len(LEAKS)} public reports through vLLM's server, {len(told)} read otherwise", *told)
    sys.exit(bool(told))
