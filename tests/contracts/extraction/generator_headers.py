"""Texts that are messages with headers, or nearly, in each dialect that has them."""

from typing import Any

from commoncall.dialect_data import format_ids, read_format
from tests.contracts.extraction.blocks import BY_ID
from tests.contracts.extraction.generator_json import Pick, chosen, obj, payload, space

OPENERS: dict[str, dict[str, Any]] = {
    dialect: written["opener"]
    for dialect, written in BY_ID.items()
    if "messages" in (written["opener"] or {})
}
OF_FORMATS = {
    dialect: name
    for name in format_ids()
    for dialect in OPENERS
    if dialect in read_format(name)["dialects"]
}

BODIES = [
    *(
        "x",
        "Use it.",
        "`",
        "```\n",
        "\n\n",
        "\n\n    ",
        '"',
        "{",
        "}",
        '{"a":"',
        "print(1)",
        "é",
        ",",
    ),
    *("<think>", "</think>", "[1]", "{} x", "{},", "```json\n{}\n```", '{"a":1,}', "<", " ", "𝄞"),
]
WORDS = ["json", "code", "x", "final", "<|constrain|>json", "to=", "to=f", "to=functions."]


def given_headers(pick: Pick) -> dict[str, Any]:
    """Return an input of ``extraction.extract`` whose text is messages."""
    dialect = chosen(pick, list(OPENERS))
    made: dict[str, Any] = {"effective": ["f", "g"], "text": messages(pick, dialect)}
    if pick(4):
        made["format"] = OF_FORMATS[dialect]
    else:
        made["dialects"] = [dialect, *chosen(pick, [[], ["tool_call"], ["tools", "tool_call"]])]
    if pick(8) == 0:
        made["effective"] = []
    if pick(10) == 0:
        made["native_calls"] = True
    if pick(8) == 0:
        made["fences"] = "extract"
    if pick(8) == 0:
        made["reasoning"] = "open"
    return made


def messages(pick: Pick, dialect: str) -> str:
    """Return some messages, the first mostly begun by the prompt."""
    opener = OPENERS[dialect]
    made = ""
    for place in range(1 + pick(5)):
        begin = "" if place == 0 and pick(4) else opener["text"]
        made += (begin if pick(24) else cut(pick, begin)) + header(pick, opener)
        made += body(pick, dialect) + ending(pick, opener)
    for _ in range(max(0, pick(6) - 3)):
        at, noise = pick(len(made) + 1), chosen(pick, [*marks(opener), *BODIES])
        made = made[:at] + noise + made[at + pick(3) :]
    return cut(pick, made) if pick(6) == 0 else made


def header(pick: Pick, opener: dict[str, Any]) -> str:
    """Return a header behind its begin, mostly a whole one."""
    written = opener["messages"]
    channel, recipient = written.get("channel", ""), written.get("recipient", "")
    made = ""
    name = written.get("prefix", "") + chosen(pick, ["f", "f", "f", "g", "a.b", "é", ""])
    if pick(3) == 0:
        made += f" {recipient}{name}" if recipient else name
    for _ in range(pick(12) == 0):
        made += " " + chosen(pick, WORDS)
    kinds = [kind for kind in written["kinds"] if recipient == "" or recipient not in kind]
    for _ in range(1 + (pick(12) == 0) if channel else 0):
        made += channel + (" " if pick(12) == 0 else "")
        made += chosen(pick, kinds) if pick(10) else chosen(pick, ["", "other", "tool"])
    if recipient and pick(4) == 0:
        made += f" {recipient}{name if pick(6) else chosen(pick, ['python', 'g', ''])}"
    if pick(4) == 0:
        made += " " + chosen(pick, [*written.get("types", []), *WORDS])
    if pick(24) == 0:
        made += chosen(pick, ["x" * 100, "x" * 128, "\n", "`", "<", "\u00a0", opener["end"][0]])
    return made + (opener["end"] if pick(16) else cut(pick, opener["end"]))


def body(pick: Pick, dialect: str) -> str:
    """Return what stands in a message."""
    kind = pick(8)
    if kind < 4:
        return space(pick) + call(pick, dialect) + space(pick)
    made = payload(pick) if kind == 4 else ""
    for _ in range(pick(4)):
        made += chosen(pick, BODIES if pick(3) else marks(OPENERS[dialect]))
    return made


def call(pick: Pick, dialect: str) -> str:
    """Return the payload of a call, mostly a good one."""
    scanner = BY_ID[dialect]["payload"]["scanner"]
    if scanner == "parameters":
        written = BY_ID[dialect]["payload"]
        value = chosen(pick, ["x", "\n1\n", "\n\n", *marks(OPENERS[dialect])])
        return "\n".join(
            written["name_begin"]
            + name
            + written["name_end"]
            + value
            + written["value_end"]
            + (name + written["name_end"] if written.get("elements") else "")
            for name in ["a", "b", "a"][: pick(4)]
        )
    arguments = obj(pick, 1) if pick(4) else chosen(pick, ["{}", "5", '"x"', "[]", "{}{}"])
    if scanner == "json_object":
        names, members = (BY_ID[dialect]["payload"][each] for each in ("names", "arguments"))
        return f'{{"{names[0]}": "f", "{members[0]}": {arguments}}}'
    return arguments


def ending(pick: Pick, opener: dict[str, Any]) -> str:
    """Return what stands behind a message, mostly an end of it."""
    ends = opener["messages"]["ends"]
    if pick(5):
        return str(chosen(pick, ends))
    return str(chosen(pick, ["", "", " ", "\n", ends[0] + " ", ends[0] * 2, ends[0] + "x", "x"]))


def marks(opener: dict[str, Any]) -> list[str]:
    """Return the texts that mean something in messages."""
    return [opener["text"], opener["end"], *opener["tokens"], *opener["messages"]["ends"]]


def cut(pick: Pick, made: str) -> str:
    """Return the begin of a text."""
    return made[: pick(len(made) + 1)]
