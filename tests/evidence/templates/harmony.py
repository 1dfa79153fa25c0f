"""What openai-harmony, with the vocabulary of gpt-oss, writes and reads; tokens, no text.

A turn that it writes stands in ``rendered.json`` as those of the templates do. ``harmony.json``
holds generated texts, each with the messages that it finds in their tokens: channels, recipients,
types, cut off anywhere. Our reading of such a text has to be what these messages mean.
"""

import json
import os
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.systems.openai_harmony import fetch

from commoncall.extraction import extract

ARCHIVE: Final = "openai-harmony==0.0.8"
PARSED: Final = Path(__file__).with_name("harmony.json")
KEPT: Final = 40
FORMAT: Final = "gpt-oss"
TOOLS: Final = ("f", "g")
FUNCTIONS: Final = "functions."
BEGIN: Final = "<|start|>assistant"

CHANNELS: Final = ("analysis", "commentary", "final", "tool", "")
RECIPIENTS: Final = ("", "", "functions.f", "functions.g", "python", "browser.search", "all")
JSON: Final = ("", "json", "<|constrain|>json")
TYPES: Final = (*JSON, "<|constrain|>xml", "code")
READ: Final = (*JSON, "code")
"""The types of arguments that are read as JSON: models write `code`, too."""
ENDS: Final = ("<|end|>", "<|call|>", "<|return|>")
COMMON: Final = "<tool_call>"
"""A marker of a dialect that is read beside every format, and that openai-harmony does not know."""

PIECES: Final = (
    *("a", "b c", "0", '"', "\\", "\n", " ", "{", "}", "<", "日本", "🌊", "\u2028"),
    *("to=", "functions.f", "<think>", COMMON),
)
MARKERS: Final = (*ENDS, BEGIN, "<|channel|>", "<|message|>")


class Message(NamedTuple):
    """A message that openai-harmony found."""

    channel: str | None
    recipient: str | None
    type: str | None
    text: str


@cache
def library() -> tuple[Any, Any]:
    """Return the module and its encoding; the session `templates` alone installs it."""
    fetch.main()
    os.environ["TIKTOKEN_ENCODINGS_BASE"] = str(fetch.FOLDER)
    module: Any = import_module("openai_harmony")
    return module, module.load_harmony_encoding(module.HarmonyEncodingName.HARMONY_GPT_OSS)


# Turns


def rendered(turn: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the prompt of a turn, what stands before the turn, which is that, and the turn."""
    module, encoding = library()

    def message(text: str, **header: str) -> Any:
        made = module.Message.from_role_and_content(module.Role.ASSISTANT, text)
        return made.model_copy(update=header)

    calls = turn.get("tool_calls", ())
    answer = []
    if "reasoning_content" in turn:
        answer.append(message(turn["reasoning_content"], channel="analysis"))
    if turn["content"]:
        answer.append(message(turn["content"], channel="commentary" if calls else "final"))
    for call in calls:
        text = json.dumps(call["arguments"], ensure_ascii=False)
        header = {"channel": "commentary", "recipient": FUNCTIONS + call["name"]}
        answer.append(message(text, **header, content_type="<|constrain|>json"))
    user = module.Message.from_role_and_content(module.Role.USER, "q")
    asked, whole = (module.Conversation.from_messages([user, *those]) for those in ([], answer))
    prompt = encoding.render_conversation_for_completion(asked, module.Role.ASSISTANT)
    kept = module.RenderConversationConfig(auto_drop_analysis=False)
    tokens = encoding.render_conversation_for_training(whole, kept)
    assert tokens[: len(prompt)] == prompt
    before = encoding.decode_utf8(prompt)
    return before, before, encoding.decode_utf8(tokens[len(prompt) :])


# Messages


def parsed(count: int, seed: str = "record") -> Iterator[tuple[str, list[Message]]]:
    """Generate texts, as they follow the begin of a message, and what openai-harmony finds."""
    module, encoding = library()
    chance = random.Random(seed)
    while count:
        tokens = generated(chance, encoding)
        try:
            found = encoding.parse_messages_from_completion_tokens(
                tokens, module.Role.ASSISTANT, strict=False
            )
            text = encoding.decode_utf8(tokens)
        except module.HarmonyError:  # cut off in a header, or in a character
            continue
        messages = [message_of(each) for each in found]
        if COMMON in text:
            continue
        count -= 1
        yield text, messages


def message_of(found: Any) -> Message:
    text = "".join(part.text for part in found.content)
    return Message(found.channel, found.recipient, found.content_type, text)


def generated(chance: random.Random, encoding: Any) -> list[int]:
    """Return the tokens of some messages, some cut off; no marker in a text is a token."""
    tokens: list[int] = []
    for number in range(chance.randint(1, 4)):
        channel, recipient = chance.choice(CHANNELS), chance.choice(RECIPIENTS)
        # Without a recipient, the library takes a type for one.
        type = chance.choice(TYPES) if recipient else ""
        to = f" to={recipient}" if recipient else ""
        on = f"<|channel|>{channel}" if channel or not recipient else ""
        header = (on + to if chance.random() < 0.6 else to + on) + (f" {type}" if type else "")
        text = text_of(chance)
        if recipient and chance.random() < 0.8:
            # Elsewhere a text does not tell a marker from a token.
            is_read = recipient.startswith(FUNCTIONS) and type in JSON
            value = {text_of(chance, MARKERS * is_read): text, "n": chance.randint(0, 9)}
            text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
        begin = BEGIN if number else ""
        tokens += encoding.encode(f"{begin}{header}<|message|>", allowed_special="all")
        tokens += encoding.encode(text, disallowed_special=())
        tokens += encoding.encode(chance.choice(ENDS), allowed_special="all")
    return tokens[: chance.randint(1, len(tokens))] if chance.random() < 0.4 else tokens


def text_of(chance: random.Random, others: tuple[str, ...] = ()) -> str:
    return "".join(chance.choice(PIECES + others) for _ in range(chance.randint(0, 8)))


def meant(messages: Iterable[Message]) -> dict[str, Any]:
    """Return what messages mean: calls of functions with JSON objects, reasoning, content."""
    calls, reasoning, content = [], [], []
    for each in messages:
        if each.recipient:
            if each.recipient.startswith(FUNCTIONS) and (each.type or "") in READ:
                calls += [(each.recipient.removeprefix(FUNCTIONS), it) for it in objects(each.text)]
        elif each.channel == "analysis":
            reasoning.append(each.text)
        elif each.channel in ("commentary", "final"):
            content.append(each.text)
    return {
        "calls": calls,
        "reasoning": "\n".join(reasoning),
        "content": "\n".join(content).strip(),
    }


def objects(text: str) -> list[dict[str, Any]]:
    """Return the object that a text is, or nothing."""
    try:
        value = json.loads(text)
    except ValueError:
        return []
    return [value] if isinstance(value, dict) else []


def read(text: str) -> dict[str, Any]:
    """Return what our format finds in a text."""
    result = extract(text, effective=TOOLS, format=FORMAT)
    return {
        "calls": [(call["name"], call["arguments"]) for call in result["tool_calls"]],
        "reasoning": result["reasoning"] or "",
        "content": (result["content"] or "").strip(),
    }


def differences(count: int) -> int:
    """Compare generated texts, and print those that are read differently; return how many."""
    wrong = 0
    for text, messages in parsed(count, "compare"):
        if read(text) != meant(messages):
            wrong += 1
            print(f"templates: {text!r} is read as {read(text)!r}", file=sys.stderr)
    print(f"{count} texts of messages, as openai-harmony reads them; {wrong} are read differently")
    return wrong
