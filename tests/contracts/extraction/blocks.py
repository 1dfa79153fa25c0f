"""Calls as each dialect writes them, from its descriptor."""

import json
from collections.abc import Mapping
from typing import Any, Final

from commoncall.dialect_data import DESCRIPTORS

Descriptor = Mapping[str, Any]
BY_ID: Final[Mapping[str, Descriptor]] = {each["id"]: each for each in DESCRIPTORS}


def can_be_active(dialects: list[str]) -> bool:
    """Tell whether none of some dialects excludes another one (EXT-001)."""
    return not any(set(dialects) & set(BY_ID[each].get("excludes", ())) for each in dialects)


def block_of(dialect: str, name: str, arguments: Mapping[str, Any]) -> str:
    """Return a block with a call."""
    form, payload = BY_ID[dialect], payload_of(dialect, name, arguments)
    closer = _closer(form)
    return _opener(form, name) + payload + (closer.lstrip() if payload[-1] == "\n" else closer)


def _marker(marker: Mapping[str, Any], begin: str) -> str:
    return f"{begin}{marker['tag']}>" if "tag" in marker else str(marker["text"])


def _opener(form: Descriptor, name: str) -> str:
    opener = form["opener"]
    begin = _marker(opener, "<")
    if "name" in opener:
        counter = ":0" * opener["name"]["counter"]
        return f"{begin}{opener['name']['prefix']}{name}{counter}{opener['end']}"
    if "messages" in opener:
        messages = opener["messages"]
        kinds = {kind: channel for channel, kind in messages["kinds"].items()}
        channel = messages["channel"] + kinds.get("call", kinds["content"])
        recipient = ""
        if "recipient" in messages:
            recipient = f" {messages['recipient']}{messages.get('prefix', '')}{name}"
        types = "".join(f" <|constrain|>{each}" for each in messages.get("types", ()))
        return f"{begin}{channel}{recipient}{types}{opener['end']}"
    if "select" in opener:
        return f"{begin}{''.join(opener['select'].values())}{opener['end']}"
    return begin + ("\n" if "tag" in opener else "")


def _closer(form: Descriptor) -> str:
    closer = form["closer"]
    if closer is None:
        return ""
    return "\n" * ("tag" in closer) + _marker(closer, "</")


def payload_of(dialect: str, name: str, arguments: Mapping[str, Any]) -> str:
    """Return what stands between opener and closer."""
    form = BY_ID[dialect]["payload"]
    scanner = form["scanner"]
    if scanner == "parameters":
        first = f"{name}\n" if form.get("name_in_first_line") else "\n"
        return first + "".join(_parameter(form, *each) + "\n" for each in arguments.items())
    if scanner == "python_calls":
        call = f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
        return f"[{call}]" if form["list"] else f"\n{call}\n"
    if scanner == "quoted_object":
        return f"{form['name_begin']}{name}{_quoted(form['quote'], arguments)}"
    if scanner == "json_arguments":
        value: Any = arguments
    elif form.get("keyed"):
        value = {name: arguments}
    else:
        value = {form["names"][0]: name, form["arguments"][0]: arguments}
    text = json.dumps([value] if scanner == "json_array" else value, ensure_ascii=False)
    return f"```json\n{text}\n```" if form.get("fence") == "expected" else text


def _parameter(form: Mapping[str, Any], name: str, value: object) -> str:
    begin, end = form["value_begin"], form["value_end"]
    end += f"{name}{form['name_end']}" if form.get("elements") else ""
    is_text = isinstance(value, str)
    if isinstance(begin, list):
        kinds = ("string",) if is_text else ("json", "typed")
        way = next(each for each in begin if each["kind"] in kinds)
        begin, end = way["text"], way.get("end", "") + end
    text = value if is_text else json.dumps(value, ensure_ascii=False)
    return f"{form['name_begin']}{name}{form['name_end']}{begin}{text}{end}"


def _quoted(quote: str, value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{_quoted(quote, each)}" for k, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_quoted(quote, each) for each in value) + "]"
    return f"{quote}{value}{quote}" if isinstance(value, str) else json.dumps(value)
