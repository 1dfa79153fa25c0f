"""Texts made of what meets in extraction, and options for them, from any source of choices.

Two of three inputs keep to the default dialects. The others list further ones too, whose pieces
``generator_dialects`` makes. ``generator_messages`` makes messages to tools, and
``generator_headers`` messages with channels.
"""

import re
import struct
from typing import Any

from commoncall.dialect_data import format_ids, read_format
from commoncall.extraction.dialects import COMMON_DIALECTS, COMMON_IN_FENCES
from tests.contracts.extraction.generator_bare import given_bare
from tests.contracts.extraction.generator_dialects import (
    FURTHER,
    further_blocks,
    further_noise,
    further_piece,
    tools,
)
from tests.contracts.extraction.generator_headers import given_headers
from tests.contracts.extraction.generator_json import Pick, call, chosen, payload, space
from tests.contracts.extraction.generator_messages import RESERVED, limits, message

Given = dict[str, Any]

ABOVE = re.compile("[\U00010000-\U0010ffff]")
PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")

THINK = {"open": {"tag": "think"}, "close": {"tag": "think"}}
TAGS = ["tool_call", "tools", "tool_calls", "function_call", "function"]
DIALECTS = [*TAGS, "harmony-pseudo"]
ACTIVE = [*dict.fromkeys((*DIALECTS, *COMMON_DIALECTS))]
"""The dialects that are active where none is listed."""
ACTIVE_IN_FENCES = [*dict.fromkeys((*DIALECTS, *COMMON_IN_FENCES))]
"""The same where fences are read."""

MARKS = [('"', '"'), ("'", "'"), *zip("“‘«「", "”’»」", strict=True), ('"', "'"), ("«", "”")]
"""Opening marks with their partners, and with others (definition "marked text")."""

BEGINS = ['{"a": "', '["x ', '[{"a": [1,"', '<think>x</think>{"a": "', '{"a" "', "[x, "]
"""Begins of texts of JSON and of what is none (definition "quotation")."""

HEADERS = [
    "<|start|>assistant<|channel|>tool<|message|>",
    "<|start|>assistant to=x <|channel|> tool\t<|constrain|>json<|message|>",
    "<|start|>assistant<|channel|>final<|message|>",
    "<|start|>assistant<|channel|>commentary to=f<|message|>",
    "<|start|>assistant<|channel|>tool\n<|message|>",
    "<|start|>assistant" + "x" * 120 + " to: f<|message|>",
    "<|start|>assistant" + "x" * 126 + "to=<|message|>",
    "<|start|>assistant" + "x" * 113 + "<|channel|>tool<|message|>",
    "<|start|>assistant" + "x" * 114 + "<|channel|>tool<|message|>",
]

NOISE = [
    *("<", ">", "</", "<|", "|>", "<tool", "<tools", "</tool_call", "<think", "< tools>", "<x>"),
    *("<function=f>", "<parameter=a>", "<INVOKE", "<arg_key>", "<arg_value", "<toolſ>", "<f x>"),
    *("<|start|>assistant", "<|channel|>", "<|constrain|>", "<|message|>", "<|end|>", "<|call|>"),
    *("`", "``", "```", "````", "~~~", "~~~~", "```json", "~~~xml", "``` x", "\n    ```\n"),
    *("\n", "\n\n", "\r\n", "\r\n\r\n", "\n \n", "\n\n    ", "\n    ", "\n\n\t", "\n\n   "),
    *(" ", "  ", "\t", "\u00a0", "\u2028", "\u3000", "\x1f", "\x85", "\ufeff", "\x0b"),
    *("\n- ", "\n> ", "\n1. ", "12) ", "* ", "+ ", "\n> ```\n", "\n```\n", "\n~~~\n", "\n1. ~~~"),
    *("{", "}", "[", "]", '"', "'", ",", ":", ";", ".", "-", "\\", "\\n", "\\u0041", "(", "!"),
    *("x", "Use it.", "é", "工具", "𝄞", "1", "٣", "Ⅳ", "²", "_", "null", "true", "1e999", "json"),
    *("“", "”", "‘", "’", "«", "»", "«\u00a0", "\u202f»", "「", "」"),
    *("<!--", "-->", "<!-", "\n-> "),
]

CALM = [
    *("\n", "\n\n", "\r\n", " ", "  ", "\n\n    ", "\n- ", "\n> ", "Use it.", "x", "é", "\u00a0"),
    *("`<tools>`", "`x`", "```\n<tool_call>\n```\n", "\n~~~json\n{}\n~~~\n", "\n```json\n"),
    *("<think>x</think>", "<tools>, ", "</tool_call>", "2 < 3", "(", "!", "𝄞", "\n```\n"),
    "\n\n    <tools>\n",
    *("<tools>\n\n    <tool_call> - ", "<tools\n\n    >", "\nx </tool_call>"),
    *("\n\n\u00a0   x", "\n\n    \u00a0", "<tools>\u00a0\n\n    ", "😀", "to=f", "`to=f`"),
    *("`<|start|>assistant to=f<|message|>`", "<|start|>assistant<|channel|>final<|message|>to=f"),
]
"""What may stand around calls without hiding them all."""


EDGES = [
    *("\x7f", "\x80", "\xaa", "«", "¬", "º", "»", "¼", "\u200b", "\u200f", "\u2010", "\u206f"),
    *("\u2070", "€", "\u218f", "\u2190", "\u245f", "\u2460", "\u24ff", "\u2500", "\u2775"),
    *("\u2776", "\u2793", "\u2794", "\u2bff", "\u2c00", "\u3000", "\u3001", "\u3003", "\u3004"),
    *("\u3007", "\u3008", "\u301f", "\u3020", "\ufefe", "\ufeff", "\uff00", "\uff01", "\uff0f"),
    *("\uff10", "\uff19", "\uff1a", "\uff20", "\uff21", "\U0001f2ff", "\U0001f300", "\U0001faff"),
    *("\U0001fb00", "\U0010ffff", "\ud7ff", "\ud83d", "\ude00", "\ue000", "“", "—", "→", "。"),
]
"""The first and last of what is and is no letter or digit (vocabulary), and what stands there."""


TOKENS = [
    *("<|start|>assistant", "<|channel|>tool<|message|>", "<|message|>", "<|end|>", HEADERS[0]),
    *('{"', '"', '"}', "{", "}", "[", "]", ":", '{"name":"f","arguments":{}}', '"a"', "{x"),
    *("<think>", "</think>", "`", "```\n", "\n", "\n\n", "\n\n    ", " ", "x", "<function=", "<"),
]
"""What a text of tokens alone is made of, beside the markers of its dialects."""


def given(pick: Pick, pieces: int = 12) -> Given:
    """Return an input of ``extraction.extract``."""
    kind = pick(12)
    if kind == 0:
        return given_bare(pick)
    if kind == 1:
        made = given_headers(pick)
        return {**made, "text": paired(made["text"])}
    return given_marked(pick, pieces)


def given_marked(pick: Pick, pieces: int) -> Given:
    """Return an input whose calls have markers."""
    further: list[str] = []
    name = chosen(pick, list(format_ids())) if pick(6) == 0 else None
    if name:
        further = [one for one in read_format(name)["dialects"] if one in FURTHER]
    elif pick(3) == 2:
        further = [chosen(pick, FURTHER) for _ in range(1 + pick(2))]
    made: Given = {"text": paired(text(pick, pieces, further)), "effective": ["f", "g"]}
    if pick(24) == 0:
        made["effective"] = []
    if pick(24) == 0:
        made["native_calls"] = True
    if pick(4) == 0:
        made["fences"] = "extract"
    if pick(10) == 0:
        made["reasoning"] = "open"
    if pick(3) == 0:
        made["limits"] = limits(pick, made["text"])
    if name:
        made |= {"format": name, "text": framed(pick, made["text"], name)}
    elif further:
        made["dialects"] = listed(pick, further)
    if further and pick(6):
        made["tools"] = tools(pick)
    if not further and not name and pick(8) == 0:
        made["dialects"] = [each for each in DIALECTS if pick(2)]
    return made


def framed(pick: Pick, made: str, name: str) -> str:
    """Return a text in which markers of the frame of a format stand."""
    frame = read_format(name)
    marks = [*frame.get("tokens", []), *("<|im_end|>", "</think>", "[/THINK]")]
    for each in frame.get("reasoning", [THINK]):
        for begin, marker in (("<", each["open"]), ("</", each["close"])):
            marks.append(f"{begin}{marker['tag']}>" if "tag" in marker else marker["text"])
    for _ in range(pick(5)):
        mark = chosen(pick, marks)
        at = pick(len(made) + 1)
        made = made[:at] + (mark if pick(6) else mark[: pick(len(mark))]) + made[at:]
    return paired(made)


def halves(text: str) -> str:
    """Return a text with two surrogates in place of each character above U+FFFF."""
    return ABOVE.sub(lambda found: "".join(map(chr, struct.unpack("<2H", encoded(found)))), text)


def paired(text: str) -> str:
    """Return a text with one character in place of two surrogates that are a pair."""
    return PAIR.sub(lambda found: encoded(found).decode("utf-16-le"), text)


def encoded(found: re.Match[str]) -> bytes:
    return found[0].encode("utf-16-le", "surrogatepass")


def listed(pick: Pick, further: list[str]) -> list[str]:
    """Return further dialects and default ones, seldom beside one that excludes them (EXT-001)."""
    names = [*further, *(name for name in DIALECTS if pick(4))]
    if "argument-pairs" in names and pick(32):
        names = [name for name in names if name != "tool_call"]
    return names


def text(pick: Pick, pieces: int, further: list[str]) -> str:
    """Return a text of up to so many pieces, with up to 2 characters of it changed."""
    # Most texts stay within one or two dialects, so that their markers meet.
    tags = [chosen(pick, TAGS) for _ in range(1 + pick(2))]
    one = calm_piece if pick(2) else piece
    made = ""
    if pick(8) == 0:
        made = text_of_tokens(pick, tags, further)
    elif further and pick(2):
        made = further_blocks(pick, further, 1 + pick(pieces))
    elif pick(6) == 0:
        made = "".join(message(pick) + chosen(pick, CALM) for _ in range(1 + pick(pieces)))
    else:
        for _ in range(1 + pick(pieces)):
            made += further_piece(pick, further) if further and pick(3) else one(pick, tags)
    if pick(16) == 0:
        made = chosen(pick, BEGINS) + made
    for _ in range(max(0, pick(5) - 2)):
        made = changed(pick, made)
    if further and pick(6) == 0:
        made = made[: pick(len(made) + 1)]
    return made


def text_of_tokens(pick: Pick, tags: list[str], further: list[str]) -> str:
    """Return tokens behind each other without any form, so that one ends where another began."""
    tokens = TOKENS + [mark for name in tags for mark in (f"<{name}>", f"</{name}>")]
    tokens += further_noise(further)
    return "".join(chosen(pick, tokens) for _ in range(1 + pick(12)))


def changed(pick: Pick, made: str) -> str:
    """Return the text with a stretch of it deleted or doubled, or with noise put in."""
    start = pick(len(made) + 1)
    end = min(len(made), start + 1 + pick(6))
    middle = chosen(pick, ["", made[start:end] * 2, chosen(pick, NOISE), '"', "\\", "\n"])
    return made[:start] + middle + made[end:]


def calm_piece(pick: Pick, tags: list[str]) -> str:
    """Return a block or what leaves the next block alone."""
    if pick(8) == 0:
        return quotation(pick, tags)
    return block(pick, tags) if pick(3) == 0 else chosen(pick, CALM)


def quotation(pick: Pick, tags: list[str]) -> str:
    """Return blocks, or an opener, in a quotation, or nearly in one."""
    made = block(pick, tags) if pick(4) else opener(pick, tags)
    if pick(4) == 0:
        made += space(pick) + block(pick, tags)
    begin, end = chosen(pick, MARKS)
    if begin == "«" and pick(2):
        begin, end = begin + chosen(pick, [" ", "\u00a0"]), chosen(pick, ["\u202f", " "]) + end
    others = [("\n> ", "\n"), ("<!-- ", "-->"), (begin, "")]
    before, behind = (begin, end) if pick(2) else chosen(pick, others)
    return before + made + behind


def piece(pick: Pick, tags: list[str]) -> str:
    """Return a piece of a text."""
    kind = pick(12)
    if kind < 3:
        return chosen(pick, NOISE)
    if kind < 6:
        return block(pick, tags)
    if kind == 6:
        return opener(pick, tags) + (chosen(pick, EDGES) if pick(3) == 0 else "")
    if kind == 7:
        return closer(pick, tags)
    if kind == 8:
        return chosen(pick, ["<think>", "</think>", "<THINK >", "</Think\n>", "<think>a</think>"])
    if kind == 9:
        return payload(pick)
    if kind == 10:
        return chosen(pick, HEADERS) if pick(3) else chosen(pick, HEADERS) + payload(pick)
    return space(pick)


def opener(pick: Pick, tags: list[str]) -> str:
    """Return an opener, or what looks like one."""
    return HEADERS[pick(2)] if pick(12) == 0 else f"<{tag(pick, chosen(pick, tags))}"


def closer(pick: Pick, tags: list[str]) -> str:
    """Return a closer, or what looks like one."""
    return "<|end|>" if pick(12) == 0 else f"</{tag(pick, chosen(pick, tags))}"


def tag(pick: Pick, name: str) -> str:
    """Return the name of a tag and its end, mostly as they should be."""
    if pick(4):
        return name + ">"
    written = chosen(pick, [name.upper(), name.title(), name, name, chosen(pick, TAGS)])
    return written + chosen(pick, [">", ">", ">", " >", "\t >", "\u00a0>", "\n>", " x>", "", "/>"])


def block(pick: Pick, tags: list[str]) -> str:
    """Return an opener, something inside, and mostly its closer."""
    if pick(8) == 0:
        return message(pick)
    if pick(14) == 0:
        return failed(pick, tags)
    name = chosen(pick, tags)
    begin, end = f"<{tag(pick, name)}", f"</{tag(pick, name)}"
    if pick(12) == 0:
        begin, end = HEADERS[pick(2)], "<|end|>"
    if pick(8) == 0:
        end = ""
    inner = space(pick)
    kind = pick(8)
    if kind == 0:
        inner += chosen(pick, NOISE) + chosen(pick, NOISE)
    elif kind == 1:
        inner += "".join(block(pick, tags) + space(pick) for _ in range(1 + pick(2)))
    else:
        inner += payload(pick) + space(pick)
        inner += chosen(pick, NOISE) if pick(8) == 0 else ""
    return begin + inner + end


def failed(pick: Pick, tags: list[str]) -> str:
    """Return a block that fails or nearly, with blank lines, markers and code behind its error."""
    name = chosen(pick, tags)
    made = f"<{name}>" + chosen(
        pick, ["x", "bad", '{"name": bad', "[1 2", "{}}", "\n-", "- ", "{} x"]
    )
    made += chosen(pick, ["", "\n", " ", *EDGES]) if pick(4) == 0 else ""
    for _ in range(1 + pick(4)):
        made += chosen(
            pick, ["\n\n", "\n\n", "\n \n", "\r\n\r\n", "\n", "x", "`", "```\n", "<think>"]
        )
        made += chosen(pick, ["", f"<{name}>", f"</{name}>", "\n\n    ", "<function=", *RESERVED])
    return made + chosen(pick, ["", f"</{name}>", f"\n</{name}>"]) + space(pick) + call(pick)
