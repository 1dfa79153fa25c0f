"""Texts that are bare messages, or nearly."""

from typing import Any

from tests.contracts.extraction.generator_json import Pick, call, chosen, payload, space
from tests.contracts.extraction.generator_literals import call as literal_call
from tests.contracts.extraction.generator_literals import comma_list

BARE = ["bare-json", "bare-json-array", "python-calls"]
BESIDE = ["tool_call", "python-tag-json", "tool-calls-array", "function-parameters"]
TOKENS = ["<|eot_id|>", "<|python_start|>", "<|eom_id|>", "<|end_of_text|>", "<|im_end|>"]
AROUND = [
    *(
        "",
        "",
        "",
        " ",
        "\n",
        "\n\n",
        "x",
        " Use it.",
        "\u00a0",
        "`",
        ";",
        "<",
        "<think>x</think>",
        "{",
    ),
    *("<|python_tag|>", "[TOOL_CALLS]", "<tool_call>", "</tool_call>", "```json\n", "\n```"),
]
ARGUMENTS = ["{}", '{"a": "x"}', '{"a": "`{<|eot_id|>"}', '"{}"', "5", '{"a":1,}']
MANY = 3
"""How often something may repeat: where no choices are left, each is the first."""
PARTS = ["", "", "", " ", "\n", ";", " ; ", ";;", ",", ";\n", "\u00a0", "<|eot_id|>"]


def given_bare(pick: Pick) -> dict[str, Any]:
    """Return an input of ``extraction.extract`` whose text may be a bare message."""
    made: dict[str, Any] = {"effective": ["f", "g"], "text": before(pick) + message(pick)}
    kind = pick(4)
    if kind == 0:
        made["dialects"] = BARE[: 1 + pick(3)] if pick(2) else BARE[::2]
    elif kind == 1:
        made["dialects"] = [chosen(pick, BARE), *BESIDE[: pick(5)]]
    else:
        made["format"] = chosen(pick, ["llama-3", "xlam", "llama-4", "llama-3-pythonic"])
    if pick(6) == 0:
        made = {**made, "effective": "any"}
    elif pick(12) == 0:
        made["native_calls"] = True
    if pick(12) == 0:
        made["reasoning"] = "open"
    return made


def before(pick: Pick) -> str:
    """Return what may stand before a bare message: mostly nothing, or what does not count."""
    made = space(pick)
    for _ in range(MANY):
        if pick(4):
            break
        made += chosen(pick, ["<think>x</think>", "<think>\n</think>\n\n", *TOKENS]) + space(pick)
    return chosen(pick, AROUND) + made if pick(8) == 0 else made


def message(pick: Pick) -> str:
    """Return values and what stands behind them."""
    made = value(pick)
    for _ in range(max(0, pick(5) - 2)):
        made += chosen(pick, PARTS) + value(pick)
    for _ in range(MANY):
        if pick(3):
            break
        made += space(pick) + chosen(pick, TOKENS)
    made += space(pick) if pick(6) else chosen(pick, AROUND)
    return made[: pick(len(made) + 1)] if pick(8) == 0 else made


def value(pick: Pick) -> str:
    """Return an object, an array or a list of calls, or what is none."""
    if pick(3) == 0:
        return f"[{comma_list(pick, literal_call)}]"
    kind = pick(8)
    if kind < 4:
        name = chosen(pick, ["f", "f", "g", "x", "f "])
        arguments = chosen(pick, ARGUMENTS)
        made = f'{{"name": "{name}", "{chosen(pick, ["parameters", "arguments"])}": {arguments}}}'
        return f"[{made}]" if pick(3) == 0 else made
    if kind == 4:
        return call(pick)
    return payload(pick) if kind < 7 else chosen(pick, ["{}", "[]", '{"name": "f"}', "[5]", "{x"])
