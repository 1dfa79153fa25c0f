"""A format as a ``response_template`` (transformers 5.13 and later), where that form can hold it.

The other way round of `response_template`. A template has one field of calls, so of a format the
first dialect is written.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from commoncall.dialect_data import DESCRIPTORS, read_format
from commoncall_tools.response_template import CALLS, NoPlaceError

Json = dict[str, Any]

CALL: Final = {"name": "{name}", "arguments": "{content}"}
SCALAR: Final = {"name": "json", "args": {"allow_non_json": True}}
"""A value is JSON where it can be: nothing here knows what a tool declares."""

TAG: Final = {"tag": "tool_call"}
"""What models put around blocks that have no section."""

THINK: Final = {"open": {"tag": "think"}, "close": {"tag": "think"}}
LISTS: Final = ("apriel", "hunyuan", "jamba")
"""Formats whose tag ``tool_calls`` holds a list, as the dialects do that are called an array."""


def exported(id: str) -> Json:
    """Return the template of a format.

    Raises:
        NoPlaceError: its calls have no place in one.
    """
    document = read_format(id)
    [descriptor] = [one for one in DESCRIPTORS if one["id"] == document["dialects"][0]]
    tokens = [re.escape(one) for one in document.get("tokens", ())]
    if "messages" in (descriptor["opener"] or {}):
        fields = _of_messages(descriptor)
    else:
        calls = _calls(descriptor, tokens)
        calls |= _payload(descriptor, is_list=id in LISTS or descriptor["id"].endswith("-array"))
        [first, *_] = document.get("reasoning", [THINK])
        begin = _text(first["open"]) + (f"{first['label']}\n" if "label" in first else "")
        thought = _field([re.escape(_text(first["close"], "/"))], open=begin)
        content = _field(tokens) if tokens else {"content": "text"}
        fields = {"reasoning_content": thought, CALLS: calls, "content": content}
    opened = re.escape(str(fields["reasoning_content"]["open"]).strip())
    return {
        "defaults": {"role": "assistant"},
        # A reply begins where its prompt ends, but for reasoning that the prompt has opened.
        "start_anchor_pattern": rf"\A[\s\S]*?(?={opened}\s*\Z|\Z)",
        "fields": fields,
    }


def _field(ends: list[str], **more: object) -> Json:
    return {**more, "close_pattern": rf"{_any(ends)}\s*", "content": "text"}


def _any(patterns: list[str]) -> str:
    return patterns[0] if len(patterns) == 1 else f"(?:{'|'.join(patterns)})"


def _text(marker: Mapping[str, str], slash: str = "") -> str:
    return f"<{slash}{marker['tag']}>" if "tag" in marker else marker["text"]


def _calls(descriptor: Json, tokens: list[str]) -> Json:
    """Return the field of the calls of a dialect whose blocks stand between markers."""
    opener, payload = descriptor["opener"], descriptor["payload"]
    if opener is None:
        raise NoPlaceError("a call begins with no text of its own")
    begin, inner = re.escape(_text(opener)), ""
    if "name" in opener:
        inner = _named(opener)
    elif payload.get("name_in_first_line"):
        inner = r"\s*(?P<name>[^\s<]+)\s*"
    elif "name_begin" in payload:
        inner = rf"{re.escape(payload['name_begin'])}(?P<name>[^\s{{]+)"
    before, behind = _around(descriptor, named=bool(inner))
    if descriptor["closer"] is None:
        end = _any([f"(?={begin})", *tokens, r"\Z"])
    else:
        end = re.escape(_text(descriptor["closer"], "/"))
    fence = payload.get("fence")
    return {
        "open_pattern": before + begin + inner + (r"(?:```(?:json)?\s*)?" if fence else ""),
        "close_pattern": (r"\s*(?:```\s*)?" if fence else "") + end + behind + r"\s*",
    }


def _around(descriptor: Json, *, named: bool) -> tuple[str, str]:
    """Return what stands before the first block and behind the last."""
    has_tag = named and descriptor["closer"] and descriptor["opener"] != TAG
    section = descriptor.get("section", {"opener": TAG, "closer": TAG} if has_tag else None)
    if section is None:
        return "", ""
    before, behind = _text(section["opener"]), _text(section["closer"], "/")
    return rf"(?:{re.escape(before)}\s*)?", rf"(?:\s*{re.escape(behind)})?"


def _named(opener: Json) -> str:
    """Return what stands between an opener and its payload, with the name in it."""
    end, name = re.escape(opener["end"]), opener["name"]
    some = rf"(?:(?!{end})[\s\S])*?"
    before = rf"(?:{some}{re.escape(name['behind'])})?" if "behind" in name else ""
    before += rf"(?:{re.escape(name['prefix'])})?" if name["prefix"] else ""
    behind = r"(?::\d+)?" if name["counter"] else ""
    behind += rf"(?:{re.escape(name['id'])}{some})?" if "id" in name else ""
    return rf"""["']?{before}(?P<name>[^\s"'<>]+?){behind}["']?{end}"""


def _payload(descriptor: Json, *, is_list: bool) -> Json:
    """Return how the content of a call is read, or that of several."""
    payload = descriptor["payload"]
    content, arguments, call = "json", None, CALL
    match payload["scanner"]:
        case "json_arguments":
            pass
        case "quoted_object":
            quotes = [payload["quote"], payload["quote"]]
            arguments = {"unquoted_keys": True, "string_delims": [quotes]}
        case "parameters" if not payload.get("elements"):
            content = "xml-inline"
            arguments = {"tag_pattern": _tags(payload), "value_parser": SCALAR}
        case "json_values" | "json_object" if not payload.get("keyed"):
            where = "" if is_list else "content."
            members = payload["names"][0], payload["arguments"][0]
            call = dict(zip(CALL, (f"{{{where}{one}}}" for one in members), strict=True))
        case _:
            raise NoPlaceError("a call is not made of JSON with two members, or of tags")
    told: Json = {"content": content, "transform": {"type": "function", "function": call}}
    if arguments is not None:
        told["content_args"] = arguments
    return {**told, "transform_each" if is_list else "repeats": True}


def _tags(payload: Json) -> str:
    """Return the pattern of a parameter."""
    begins = payload["value_begin"]
    begins = [{"text": begins}] if isinstance(begins, str) else begins
    begin = "|".join(re.escape(one["text"]) for one in begins)
    ends = "".join(rf"(?:{re.escape(one['end'])})?" for one in begins if "end" in one)
    begin_of_name, end_of_name = map(re.escape, (payload["name_begin"], payload["name_end"]))
    mark = """["']?""" if payload["name_begin"].endswith("name=") else ""
    key = rf"{begin_of_name}\s*{mark}(?P<key>.+?){mark}\s*{end_of_name}"
    blank = "" if payload.get("trim") == "none" else r"\n?"
    end = re.escape(payload["value_end"])
    return rf"{key}\s*(?:{begin}){blank}(?P<value>.*?){blank}{ends}{end}"


def _of_messages(descriptor: Json) -> Json:
    """Return the fields of a dialect whose text is messages with headers."""
    messages, end = descriptor["opener"]["messages"], descriptor["opener"]["end"]
    if "channel" not in messages:
        raise NoPlaceError("its messages have no channels")
    ends = [*map(re.escape, messages["ends"])]
    kinds: dict[str, list[str]] = {"reasoning": [], "content": [], "call": []}
    for channel, kind in messages["kinds"].items():
        kinds[kind].append(f"{messages['channel']}{channel}{end}")
    if "recipient" in messages:
        name, over = re.escape(messages["recipient"] + messages.get("prefix", "")), re.escape(end)
        called = rf"{name}(?P<name>[^\s<]+)(?:(?!{over})[\s\S])*?{over}"
    else:
        called = _any([*map(re.escape, kinds["call"])])
    [thought] = kinds["reasoning"]
    return {
        "reasoning_content": _field(ends, open=thought),
        CALLS: _field(ends, open_pattern=called) | _payload(descriptor, is_list=False),
        "content": _field(ends, open=kinds["content"]),
    }
