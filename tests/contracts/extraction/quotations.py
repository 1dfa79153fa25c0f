"""Texts that quote calls, written by the descriptors: whole calls, begins and ends of them."""

import json
from typing import Any

from tests.contracts.extraction.blocks import BY_ID, Descriptor, can_be_active
from tests.contracts.extraction.generator_json import Pick, chosen

MARKED = [
    name
    for name, descriptor in BY_ID.items()
    if descriptor["opener"]
    and descriptor["payload"]["scanner"] not in ("quoted_object", "blocks")
    and "elements" not in descriptor["payload"]
    and descriptor["payload"].get("fence") != "open"
]
"""The dialects that can be quoted: without an opener a call is the whole message, and a fence that
is quoted is code to its end. What quotes a
quoted object is a miss in itself: ``test_quoted_literals`` asks about that. A value that quotes
elements is refused.
"""

RAW = [
    name
    for name, descriptor in BY_ID.items()
    if name in MARKED and descriptor["payload"]["scanner"] == "parameters"
]
"""The dialects whose values are raw text between tags."""

PROSE = ["x", "See:", "it's", "a b", "é", "x\ny", "1. ", "(", "2 > 1", "a/b", "- z", "done."]
"""What stands between quotations: visible at both ends, so that nothing is trimmed."""

BETWEEN = ["", " ", "\n", "\r\n", "\t", " x ", "\nand\n"]


def written(dialect: str, name: str, arguments: dict[str, str], pick: Pick) -> str:
    """Return a call in a dialect, in its section or without one, and without a blank line."""
    descriptor = BY_ID[dialect]
    made = opener(descriptor, name) + payload(descriptor, name, arguments, pick)
    if descriptor["closer"] is not None:
        made += space(pick) + marker(descriptor["closer"], "</")
    section = descriptor.get("section")
    if section and pick(2):
        made = (
            section["opener"]["text"] + space(pick) + made + space(pick) + section["closer"]["text"]
        )
    return made


def space(pick: Pick) -> str:
    return chosen(pick, ["", "\n"])


def marker(written_so: Descriptor, begin: str) -> str:
    return f"{begin}{written_so['tag']}>" if "tag" in written_so else str(written_so["text"])


def opener(descriptor: Descriptor, name: str) -> str:
    """Return the opener of a call of this name."""
    written_so = descriptor["opener"]
    begin = marker(written_so, "<")
    if "name" in written_so:
        counter = ":0" if written_so["name"]["counter"] else ""
        return f"{begin}{written_so['name']['prefix']}{name}{counter}{written_so['end']}"
    if "messages" in written_so:
        messages = written_so["messages"]
        kinds = {kind: channel for channel, kind in messages["kinds"].items()}
        prefix = messages.get("prefix", "")
        recipient = f" {messages['recipient']}{prefix}{name}" if "recipient" in messages else ""
        channel = messages["channel"] + kinds.get("call", kinds["content"])
        return f"{begin}{recipient}{channel}{written_so['end']}"
    if "select" in written_so:
        header = "".join(written_so["select"].values())
        return f"{begin}{header}{written_so['end']}"
    return f"{begin}1{written_so['end']}" if "end" in written_so else begin


def payload(descriptor: Descriptor, name: str, arguments: dict[str, str], pick: Pick) -> str:
    """Return what stands between an opener and its closer."""
    form = descriptor["payload"]
    if form["scanner"] == "parameters":
        first = name if form.get("name_in_first_line") else ""
        return first + "".join(
            space(pick) + parameter(form, key, value, pick) for key, value in arguments.items()
        )
    if form["scanner"] == "python_calls":
        texts = [f"{key}={json.dumps(text, ensure_ascii=False)}" for key, text in arguments.items()]
        call = f"{name}({', '.join(texts)})"
        return f"[{call}]" if form["list"] else call
    if form["scanner"] == "json_arguments":
        value: Any = arguments
    elif form.get("keyed"):
        value = {name: arguments}
    else:
        value = {form["names"][0]: name, form["arguments"][0]: arguments}
    made = json.dumps([value] if form["scanner"] == "json_array" else value, ensure_ascii=False)
    return f"```json\n{made}\n```" if form.get("fence") == "expected" else made


def parameter(form: Descriptor, key: str, value: str, pick: Pick) -> str:
    """Return a parameter that is a string."""
    begin, end = form["value_begin"], ""
    if isinstance(begin, list):
        strings = [each for each in begin if each["kind"] == "string"]
        begin, end = strings[0]["text"], strings[0].get("end", "")
    elif begin:
        begin = space(pick) + begin
    end += form["value_end"] + (f"{key}{form['name_end']}" if form.get("elements") else "")
    return f"{form['name_begin']}{key}{form['name_end']}{begin}{value}{end}"


def beside(dialect: str) -> list[str]:
    """Return the dialects that can be active beside one, itself too."""
    return [other for other in MARKED if can_be_active([dialect, other])]


def quoted_call(pick: Pick, dialect: str, depth: int = 2) -> str:
    """Return a call of ``quoted_tool``, which may quote one itself."""
    arguments = {key: value(pick, dialect, depth) for key in ("p", "q", "r")[: 1 + pick(3)]}
    return written(dialect, "quoted_tool", arguments, pick)


def value(pick: Pick, dialect: str, depth: int) -> str:
    if depth and pick(4) == 0:
        return f"x {quoted_call(pick, dialect, depth - 1)} y"
    return chosen(pick, PROSE)


def quotation(pick: Pick, dialect: str, kind: str) -> str:
    """Return a whole call, its head or its tail."""
    made = quoted_call(pick, dialect)
    at = 1 + pick(len(made) - 1)
    return {"whole": made, "head": made[:at], "tail": made[at:]}[kind]


def quoting(pick: Pick, dialect: str, kinds: list[str]) -> str:
    """Return prose that quotes calls, each of one of the kinds."""
    made = chosen(pick, PROSE)
    for _ in range(1 + pick(3)):
        made += chosen(pick, BETWEEN) + quotation(pick, dialect, chosen(pick, kinds))
        made += chosen(pick, BETWEEN) + chosen(pick, PROSE)
    return made
