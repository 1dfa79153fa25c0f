"""Conversations of Messages and of Responses before vLLM's own request handling.

Each generated conversation goes as it is, and once more with faults: read, sanitised and written.
Nothing may be refused but for what vLLM says of itself that it does not take.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

from commoncall.interface import Interface
from tests.evidence.interfaces.cleaned import sanitised
from tests.evidence.interfaces.generated import broken, request_of
from tests.evidence.servers.live import refusals, running, vllm
from tests.evidence.servers.sent import Sent

COUNT: Final = 500
ASKED: Final[dict[Interface, str]] = {
    "anthropic-messages": "/v1/messages/render",
    "openai-responses": "/v1/responses/render",
}
ELSEWHERE: Final = (
    *("image", "document", "file", "server_tool", "web_search", "mcp", "computer", "tool_search"),
    *("custom", "namespace", "additional_tools", "shell", "apply_patch", "code_interpreter"),
    "redacted",
)
"""What a block, an item or a tool is called that vLLM has no place for, or not for a model of
text: conversations with these are left out.
"""

LIMITS: Final = (
    "Encrypted content is not supported",
    "empty conversation",
    "'ResponseOutputRefusal' object has no attribute 'text'",
)
"""What vLLM says of itself. The last is a fault in its reading of a refusal."""


def conversations(interface: Interface) -> Iterator[Sent]:
    """Yield what leaves for each conversation that vLLM has a place for, whole and mended."""
    for seed in count():
        request = request_of(interface, seed)
        for name, given in (
            (f"{seed}", request),
            (f"{seed}, broken", broken(interface, request, seed)),
        ):
            sent, _ = sanitised(interface, given)
            if not any(word in json.dumps(kinds(sent)) for word in ELSEWHERE):
                yield Sent(name, sent)


def kinds(value: Any) -> list[str]:
    """Return the types of all that is in a value, and the names of its members."""
    if isinstance(value, list):
        return [kind for each in value for kind in kinds(each)]
    if not isinstance(value, dict):
        return []
    own = [value["type"]] if isinstance(value.get("type"), str) else []
    return [*own, *value, *(kind for each in value.values() for kind in kinds(each))]


def main() -> int:
    """Ask; the exit status is 1 where something is refused for another reason."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        server = vllm(Path(folder))
        with running(server) as connection:
            for interface, path in ASKED.items():
                asked = server._replace(path=path)
                made = islice(conversations(interface), COUNT)
                said = Counter[str]()
                for name, refusal in refusals(asked, connection, made):
                    known = [limit for limit in LIMITS if limit in refusal["message"]]
                    said[known[0] if known else "refused"] += 1
                    if not known:
                        print(f"servers: {interface}, {name}: {refusal}", file=sys.stderr)
                wrong += said["refused"]
                print(f"{interface}: {COUNT} conversations through {path}, {dict(said)}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
