"""What the chat templates of models write is read back (definition "format").

``tests/evidence/templates`` holds one set of conversations, and what the template of each model
makes of them: the turn of the assistant, with its stop token. What is not read back stands here
with the reason; where it is read back after all, the line is stale, and red.
"""

import json
from itertools import starmap
from pathlib import Path
from typing import Any, Final

import pytest

from commoncall.extraction import opens_reasoning
from commoncall.extraction.dialects import Tag
from commoncall.extraction.formats import load_format
from tests.each import check_each
from tests.evidence.templates import harmony
from tests.evidence.templates.reading import calls_of, read_back

FOLDER: Final = Path(__file__).parents[2] / "evidence" / "templates"
RENDERED: Final = json.loads((FOLDER / "rendered.json").read_text("utf-8"))
CONVERSATIONS: Final = json.loads((FOLDER / "conversations.json").read_text("utf-8"))
TOOLS: Final = CONVERSATIONS["tools"]
CALLS: Final = tuple(
    name for name, message in CONVERSATIONS["messages"].items() if "tool_calls" in message
)

STRINGS: Final = tuple(x for x in CALLS if x not in ("no_arguments", "nested", "typed"))
TWO_ARGUMENTS: Final = tuple(x for x in CALLS if x not in ("one", "no_arguments", "reasoning"))

NOT_READ: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "strings of Python in which nothing is escaped": {
        "lfm-2.5": ("escapes",),
        "llama-4-pythonic": ("escapes",),
    },
    "prose before a call that no marker begins": dict.fromkeys(
        ("llama-4-json", "llama-4-pythonic"), ("text_before",)
    ),
    "the text begins with a letter with which the prompt ends, too": {"apriel-1.6": ("text",)},
    "the template writes no calls of the history": dict.fromkeys(
        (
            *("command-a-03", "granite-3", "granite-3.3-hub", "lfm-2"),
            *("lfm-2.5-instruct", "smollm-3", "step-5"),
        ),
        CALLS,
    ),
    "the text begins with blanks of the template's own, which make an indented line": {
        "deepseek-v3": (*CALLS, "reasoning_text", "text"),
    },
    "the template writes no JSON": {"phi-4-mini": tuple(x for x in CALLS if x != "no_arguments")},
    "the template writes strings without quotes": {
        "llama-3.2-pythonic": STRINGS,
        "toolace": STRINGS,
    },
    "the template writes no comma between two arguments": {"gemma-3": TWO_ARGUMENTS},
    "the template writes every value as a string": {"llama-4-pythonic": ("nested", "typed")},
    "the template writes the first call alone": dict.fromkeys(
        ("gigachat-3", "gigachat-3.1", "gpt-oss"), ("two",)
    ),
    "the template writes the text beside calls as reasoning": {"gpt-oss": ("text_before",)},
    "the template drops the text beside calls, or the calls beside it": dict.fromkeys(
        (
            *("command-a", "command-r7b", "deepseek-r1", "deepseek-v3-hub", "functiongemma"),
            *("granite-20b-fc", "granite-3-vllm"),
            *("hermes", "hermes-2", "llama-3.1", "llama-3.1-vllm", "llama-3.2", "llama-3.3"),
            *("minimax-m1", "mistral-v11", "mistral-v3", "nemotron-70b", "xlam-llama"),
            "xlam-qwen",
            *("mistral-v3-parallel", "mistral-v3-vllm", "mistral3-vllm"),
        ),
        ("text_before",),
    ),
    "the template writes a role before the text": {"hunyuan": ("reasoning_text", "text")},
}
"""Why something is not read back, the templates, and the messages."""


def read(template: str, name: str) -> dict[str, Any]:
    written = RENDERED[template]
    text, id = written["writes"][name], written["format"]
    found = read_back(text, id, TOOLS, inside=is_inside(text, id))
    return {"calls": calls_of(found), "content": (found["content"] or "").strip()}


def is_inside(text: str, id: str) -> bool:
    """Tell whether a text begins in reasoning: a closer stands in it before any opener."""
    for opener, closer in load_format(id).reasoning:
        first, last = (
            text.find(f"<{slash}{each.name}>" if isinstance(each, Tag) else each)
            for each, slash in ((opener, ""), (closer, "/"))
        )
        if last >= 0 and not 0 <= first < last:
            return True
    return False


def meant(name: str) -> dict[str, Any]:
    message = CONVERSATIONS["messages"][name]
    return {
        "calls": [(call["name"], call["arguments"]) for call in message.get("tool_calls", ())],
        "content": message["content"],
    }


def test_what_a_template_writes_is_read_back() -> None:
    def check(template: str) -> None:
        writes = RENDERED[template]["writes"]
        excused = {name for templates in NOT_READ.values() for name in templates.get(template, ())}
        assert {name for name in writes if read(template, name) != meant(name)} == excused

    check_each(((name, name) for name in RENDERED), check)


def test_what_is_excused_is_there() -> None:
    assert {each for templates in NOT_READ.values() for each in templates} <= RENDERED.keys()


def test_messages_are_read_as_openai_harmony_reads_their_tokens() -> None:
    for text, messages in json.loads(harmony.PARSED.read_text("utf-8")):
        assert harmony.read(text) == harmony.meant(starmap(harmony.Message, messages)), text


@pytest.mark.parametrize(
    ("prompt", "format", "opens"),
    [
        ("<|im_start|>assistant\n<think>\n", "qwen3", True),
        ("<|im_start|>assistant\n<think>\n\n</think>\n\n", "qwen3", False),
        ("<|im_start|>assistant\n", "qwen3", False),
        ("What is <think>?<|im_end|>\n<|im_start|>assistant\n", "qwen3", False),
        ("What is <think>?<|im_end|>\n<|im_start|>assistant\n<think>\n", "qwen3", True),
        ("[/INST][THINK]", "magistral", True),
        ("[/INST]<think>", "magistral", False),
        ("<|start|>assistant<|channel|>analysis<|message|>", "gpt-oss", True),
        ("<|start|>assistant<|channel|>analysis<|message|>One", "gpt-oss", True),
        ("<|start|>assistant<|channel|>analysis<|message|>One<|end|>", "gpt-oss", False),
        ("<|channel|>analysis<|message|>One<|end|><|start|>assistant", "gpt-oss", False),
        ("<|start|>assistant<|channel|>final<|message|>", "gpt-oss", False),
        ("<|message_model|><|content_thinking|>", "inkling", True),
        ("", "qwen3", False),
    ],
)
def test_the_tail_of_a_prompt_says_whether_it_opened_reasoning(
    prompt: str, format: str, opens: bool
) -> None:
    assert opens_reasoning(prompt, format) is opens
