"""openai-harmony, with the vocabulary of gpt-oss."""

import os
import sys
from importlib import import_module
from typing import Any

from tests.systems.adapter import NotOffered, call, serve
from tests.systems.openai_harmony.fetch import FOLDER

os.environ["TIKTOKEN_ENCODINGS_BASE"] = str(FOLDER)

Harmony: Any = import_module("openai_harmony")
ENCODING = Harmony.load_harmony_encoding(Harmony.HarmonyEncodingName.HARMONY_GPT_OSS)
FUNCTIONS = "functions."
CONTENT = ("final", "commentary")


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the messages to functions as calls, the others by their channel."""
    if not given["effective"]:
        raise NotOffered("a turn without tools")
    tokens = ENCODING.encode(given["text"], allowed_special="all")
    calls, content, reasoning = [], [], []
    for message in ENCODING.parse_messages_from_completion_tokens(
        tokens, Harmony.Role.ASSISTANT, strict=False
    ):
        text = "".join(part.text for part in message.content)
        if message.recipient and message.recipient.startswith(FUNCTIONS):
            calls.append(call(message.recipient.removeprefix(FUNCTIONS), text))
        elif message.channel == "analysis":
            reasoning.append(text)
        elif message.channel in CONTENT:
            content.append(text)
    return {
        "content": "\n".join(content),
        "reasoning": "\n".join(reasoning),
        "tool_calls": calls,
    }


if __name__ == "__main__":
    serve(sys.argv[1], "openai-harmony", {"extraction.extract": extract})
