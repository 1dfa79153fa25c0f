"""One block of an interface, and what stands for it in the form of the contracts.

Holds the definitions "part of a block" and "block of a part" of spec/v1/interfaces.md.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from commoncall.interface.table import INPUT, Form, JsonObject, flat_name, types_of
from commoncall.json_text import as_text, decode_object
from commoncall.places import Place

FAILED: Final = "The tool failed."
"""What a result says that failed: Chat Completions has no other place for it."""

NOT_SHOWN: Final = "This part of the result is no text, and is not shown."
"""What a result says in the place of a part that its interface has no place for."""

DATA_URL: Final = re.compile(r"data:([^;,]+);base64,(.*)\Z", re.DOTALL)


def type_of(block: object) -> object:
    """Return the type of a block; None where it has none."""
    return block.get("type") if isinstance(block, dict) else None


def text_of(value: object) -> str:
    """Return a text; an empty one for what is none."""
    return value if isinstance(value, str) else ""


def list_in(value: object, name: str) -> list[Any]:
    """Return the list under a name of an object; an empty one where there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def part_of(block: Any, form: Form, *, of_assistant: bool = False) -> JsonObject:
    """Return what stands for a block that is no call and no result; a string is a text."""
    if isinstance(block, str):
        return {"type": "text", "text": block}
    match block:
        case {"type": str(kind), "text": str(text)} if kind in form["text"].values():
            return {"type": "text", "text": text}
        case {"type": "image", "source": source} if (url := _address(source)) is not None:
            return _image(url)
        case {"type": "input_image", "image_url": str(url), "detail": str(detail)}:
            return _image(url, detail=detail)
        case {"type": "input_image", "image_url": str(url)}:
            return _image(url)
        case {"type": "agent_message", "content": content} if texts := _texts(content):
            return {"type": "text", "text": "\n".join(texts)}
    # Of the assistant it is opaque, as thinking is; elsewhere media, which no sanitizer reads.
    return block if of_assistant and type_of(block) is not None else {"type": "file", "file": block}


def _texts(content: object) -> list[str]:
    """Return what a content says in words; what is encrypted in it nobody here can read."""
    texts = [one.get("text") for one in parts_in(content) if isinstance(one, dict)]
    return [text for text in texts if isinstance(text, str)]


def block_of(part: Any, form: Form, role: str) -> object | None:
    """Return a block for a part of a message of a role; None where the interface has none."""
    has_items = form["has_items"]
    match part:
        case {"type": "text", "text": str(text)}:
            return {"type": form["text"].get(role, form["text"]["user"]), "text": text}
        case {"type": "image_url", "image_url": {"url": str(url), **more}} if role != "assistant":
            if has_items:
                # The type of a part of a message asks for a `detail`.
                return {"detail": "auto", **more, "type": "input_image", "image_url": url}
            data = DATA_URL.match(url)
            source = {"type": "url", "url": url} if data is None else _source(*data.groups())
            return {"type": "image", "source": source}
        case {"type": "file", "file": {"type": kind}} if is_own(kind, form):
            file: object = part["file"]
            return file
        case {"type": "file", "file": {"file_data": str()} as file} if has_items:
            return {**file, "type": "input_file"}
        case {"type": "refusal", "refusal": str()} if has_items:
            said: object = part
            return said
        case {"type": kind} if role == "assistant" and is_own(kind, form):
            own: object = part
            return own
    return None


_SAID: Final = {"image_url": ("type", "image_url"), "file": ("type",)}
"""What an item for a part says itself, and not what the part holds."""


def unsaid(part: Any, form: Form | None = None) -> Iterator[Place]:
    """Yield the places in a part of the members that the block for it has no place for; without a
    form, those that a flat message has none for.
    """
    kind = part["type"]
    if kind in ("text", "image_url", "file"):
        yield from others_in(part, ("type", kind))
    if kind == "image_url" and not (form and form["has_items"]):
        yield from others_in(part["image_url"], ("url",), (kind,))
    elif form and kind in _SAID and not (kind == "file" and is_own(part[kind].get("type"), form)):
        yield from ((kind, name) for name in _SAID[kind] if part[kind].get(name) is not None)


def others_in(given: JsonObject, names: Sequence[str], place: Place = ()) -> Iterator[Place]:
    """Yield the places of an object's members with other names; a null counts as absent."""
    for name, value in given.items():
        if value is not None and name not in names:
            yield (*place, name)


def is_own(kind: object, form: Form) -> bool:
    """Tell whether blocks of a type are the interface's own, for which the contracts have none."""
    return kind in form["own_parts"] or kind in form["own_items"]


def _address(source: object) -> str | None:
    match source:
        case {"type": "base64", "media_type": str(media), "data": str(data)}:
            return f"data:{media};base64,{data}"
        case {"type": "url", "url": str(url)}:
            return url
    return None


def _image(url: str, **more: str) -> JsonObject:
    return {"type": "image_url", "image_url": {"url": url, **more}}


def _source(media: str, data: str) -> JsonObject:
    return {"type": "base64", "media_type": media, "data": data}


def id_of(call: object) -> object:
    """Return the id of a call, or None."""
    return call.get("id") if isinstance(call, dict) else None


def function_of(call: Any) -> JsonObject:
    """Return the function of a call or a tool; an empty one where it has none."""
    function = call.get("function") if isinstance(call, dict) else None
    return function if isinstance(function, dict) else {}


def call_of(block: JsonObject, form: Form) -> JsonObject:
    """Return the call that a block is."""
    names = form["call"]
    arguments = block.get(names["arguments"])
    if is_of_text(block, form):
        arguments = as_text({INPUT: block.get(INPUT)})
    elif names["arguments_are"] == "object":
        arguments = as_text(arguments)
    name = flat_name(block, block.get(str(form["namespace"])))
    function = without_null({"name": name, "arguments": arguments})
    call: JsonObject = {"type": "function", "function": function}
    identifier = block.get(names["id"])
    return call if identifier is None else {"id": identifier, **call}


def without_null(given: JsonObject) -> JsonObject:
    """Return a copy without the members that are null."""
    return {name: value for name, value in given.items() if value is not None}


def is_of_text(block: object, form: Form) -> bool:
    """Tell whether a block is the call of a tool that takes a text."""
    return type_of(block) in types_of(form, "call")[1:]


def own_of(block: JsonObject, form: Form) -> JsonObject:
    """Return what a call has of its function: its type, its name and its namespace."""
    names = ("type", "name", str(form["namespace"]))
    return {name: block[name] for name in names if name in block}


def call_block(call: Any, form: Form, own: JsonObject | None = None) -> JsonObject | None:
    """Return the block of a call of a function that was carried, or of another; None where its
    arguments have no place there.
    """
    names, function = form["call"], call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return None
    own = own or {"type": names["type"], "name": function.get("name")}
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        return None
    # `own` has the type, too: it comes first, as endpoints write it.
    block = {"type": own["type"], names["id"]: call.get("id"), **own}
    if own["type"] != names["type"]:
        return {**block, INPUT: text_in(arguments)}
    given = arguments if names["arguments_are"] == "text" else decode_object(arguments)
    return None if given is None else {**block, names["arguments"]: given}


def text_in(arguments: str) -> str:
    """Return the text that a tool takes that takes one."""
    text = (decode_object(arguments) or {}).get(INPUT)
    return text if isinstance(text, str) else arguments


def content_of(parts: Sequence[JsonObject], nothing: object) -> object:
    """Return parts as a content: one text as a string."""
    match parts:
        case []:
            return nothing
        case [{"type": "text", "text": str(text)}]:
            return text
    return list(parts)


def parts_in(content: object) -> list[Any]:
    """Return the parts of a content; a string is a text, and all else that is no array is none."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def result_content(block: JsonObject, form: Form) -> object:
    """Return the content of the result that a block is; one of a failure begins with that."""
    given = block.get(form["result"]["content"])
    content = "" if given is None else given
    if isinstance(given, list):
        content = content_of([part_of(each, form) for each in given], "")
    if block.get("is_error") is not True:
        return content
    if isinstance(content, list):
        return [{"type": "text", "text": FAILED}, *content]
    return f"{FAILED}\n{content}" if isinstance(content, str) else content
