"""Messages to tools, with what their strict payload takes and what it does not, and limits."""

from tests.contracts.extraction.generator_json import (
    JSON_SPACES,
    LITERALS,
    SCALARS,
    STRINGS,
    Pick,
    chosen,
    comma,
    obj,
    payload,
    space,
)

OPENER, CLOSER = "<|start|>assistant<|channel|>tool<|message|>", "<|end|>"

RESERVED = [
    "<|start|>assistant<|channel|>commentary to=f<|message|>",
    "<|start|>assistant<|channel|>final <|constrain|>json<|message|>",
    "<|start|>assistant recipient:<|channel|>x<|message|>",
    "<|start|>assistant to=f<|message|>",
]

NAMES = [
    *('"g"', '" f "', '"<|x|>f"', '"<|x|>"', '"f<|end|>"', '""', '" "'),
    *('"\\u00a0"', '"\\u0066"', '"\\ud800"', '"a b"', '"é"', '"𝄞"', "null", "1", '["f"]', '"f\n"'),
]

FURTHER_MEMBERS = [
    *('"id":1', '"name":"f"', '"parameters":{}', '"description":"d"', '"":null', '"tool":"g"'),
    *('"Tool":"f"', '"arguments":null', '"\\u0074ool":"f"', '"type":"object"'),
]


def message(pick: Pick) -> str:
    """Return a message, mostly one to a tool with its closer."""
    if pick(14) == 0:
        return broken(pick)
    if pick(12) == 0:
        return chosen(pick, RESERVED) + strict(pick) + chosen(pick, [CLOSER, "<|call|>", ""])
    inner = strict(pick)
    kind = pick(16)
    if kind == 0:
        inner = payload(pick)
    elif kind == 1:
        inner = inner[: pick(len(inner) + 1)]
    elif kind == 2:
        inner = chosen(pick, [f"[{inner}]", f"{inner}{inner}", f"```json\n{inner}\n```", " ", "x"])
    elif kind == 3:
        inner += chosen(pick, [" x", ",", "}", "\n\n", "<|en", "x\n\n", "<think>", '"'])
    return OPENER + space(pick) + inner + space(pick) + (CLOSER if pick(5) else "")


def broken(pick: Pick) -> str:
    """Return a message whose payload fails, in which headers stand, and what follows it."""
    made = OPENER + chosen(pick, ["x", '{"a" ', '{"tool":"f",', "- ", "", strict(pick) + ",", "[]"])
    for _ in range(1 + pick(3)):
        made += chosen(pick, [*RESERVED, OPENER, "to=f", '"', "`", "\n\n", "\n", " ", "<function="])
    for _ in range(pick(4)):
        made += chosen(pick, ["}", "x", "\n\n", ""]) + chosen(pick, [CLOSER, CLOSER, "<|call|>"])
    return made


def strict(pick: Pick) -> str:
    """Return an object that is a call, or is none by a member, a value or a repair."""
    name = '"f"' if pick(3) else chosen(pick, NAMES)
    members = [f'"tool":{name}'] if pick(16) else []
    if pick(12):
        members.append(f'"arguments":{space(pick)}{arguments(pick)}')
    if pick(10) == 0:
        members.append(chosen(pick, FURTHER_MEMBERS))
    if pick(4) == 0:
        members.reverse()
    return "{" + chosen(pick, [",", ", "]).join(members) + (comma(pick) if members else "") + "}"


def arguments(pick: Pick) -> str:
    """Return arguments, mostly an object."""
    if pick(6):
        return (
            obj(pick, 1) if pick(3) == 0 else chosen(pick, ["{}", '{"a":1}', '{"a":"é"}', "null"])
        )
    return chosen(pick, STRINGS) if pick(2) else chosen(pick, [*SCALARS, *LITERALS, "[]", "[{}]"])


def limits(pick: Pick, text: str) -> dict[str, int]:
    """Return ``limits``, mostly at the size of a message in the text or one byte beside it."""
    inner = [piece.partition(CLOSER)[0] for piece in text.split("<|message|>")[1:]]
    if not inner or pick(4) == 0:
        return {"payload_bytes": chosen(pick, [1, 20, 30, 40, 8192])}
    piece = chosen(pick, inner)
    if pick(3) == 0:
        piece = piece.rstrip("".join(JSON_SPACES))
    size = len(piece.encode("utf-8", "surrogatepass"))
    return {"payload_bytes": max(1, size + pick(3) - 1)}
