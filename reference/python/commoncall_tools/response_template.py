"""A model's own ``response_template`` (transformers 5.13 and later) as a dialect.

A template says with regular expressions where a field begins and ends. A dialect has literal texts.
So only what is made of texts, white space and names has a place in one; what has none is said.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from commoncall.dialect_data import DESCRIPTORS, format_ids, read_format

Json = dict[str, Any]

CALLS: Final = "tool_calls"
REASONING: Final = ("thinking", "reasoning_content", "reasoning")

_PIECE: Final = re.compile(
    r"(?P<blank>(?:\\[sn]|[ \n])[*+?]*)"
    r"|\(\?P<(?P<group>\w+)>(?:[^()\\]|\\.)*\)"
    r"|\\(?P<escaped>\W)"
    r"|(?P<plain>[^\\()\[\]{}.*+?^$|])"
    r"|(?P<end>\|\$$)",
    re.DOTALL,
)


class NoPlaceError(Exception):
    """A part of a template has no place in a dialect; the text says which."""


class Name(NamedTuple):
    """Where a pattern reads a name."""

    group: str


def imported(template: Any, id: str) -> Json:
    """Return the dialect of the calls of a template, and what a format says beside it.

    Where the package has a dialect for it, it is that one: it knows what goes wrong there, too.

    Raises:
        NoPlaceError: the calls have no place in a dialect.
    """
    fields = template.get("fields") if isinstance(template, Mapping) else None
    if not isinstance(fields, Mapping):
        raise NoPlaceError("it is no response_template: it has no fields")
    field = fields.get(CALLS)
    if not isinstance(field, Mapping):
        raise NoPlaceError(f"it has no field {CALLS}")
    before, after, named = _around(_anchor(field, "open"))
    closer = _one(_texts(_anchor(field, "close")), "close")
    payload = _payload(field, named)
    known = _known(before, payload)
    dialect = known or _dialect(id, before, after, closer, payload, named)
    found: Json = {"dialect": dialect, "of": _formats_of(known["id"]) if known else []}
    for name in REASONING:
        tags = [_plain(fields.get(name), side) for side in ("open", "close")]
        if all(tags):
            found["reasoning"] = dict(zip(("open", "close"), tags, strict=True))
    return found


def _anchor(field: Mapping[str, Any], side: str) -> list[str | Name]:
    """Return the texts and names of an anchor of a field."""
    literal, pattern = field.get(side), field.get(f"{side}_pattern")
    if isinstance(literal, list):
        if len(literal) != 1:
            raise NoPlaceError(f"{side} is not one text: {literal!r}")
        [literal] = literal
    if isinstance(literal, str) and literal.strip():
        return [literal.strip()]
    if isinstance(pattern, str):
        return [*pieces(pattern, f"{side}_pattern")]
    raise NoPlaceError(f"the field {CALLS} has no {side}")


def pieces(pattern: str, where: str) -> Iterator[str | Name]:
    """Yield the texts and names of a pattern; white space parts two texts."""
    text, at = "", 0
    while at < len(pattern):
        match = _PIECE.match(pattern, at)
        if match is None:
            raise NoPlaceError(f"{where} is more than texts and names, from {pattern[at:]!r} on")
        at = match.end()
        text += match["escaped"] or match["plain"] or ""
        if (match["blank"] or match["group"] or match["end"]) and text:
            yield text
            text = ""
        if match["group"]:
            yield Name(match["group"])
    if text:
        yield text


def _around(anchor: list[str | Name]) -> tuple[list[str], list[str], bool]:
    """Return the texts before the name of a call and behind it, and whether there is one."""
    names = [at for at, one in enumerate(anchor) if isinstance(one, Name)]
    if len(names) > 1:
        raise NoPlaceError("open_pattern has several groups")
    at = names[0] if names else len(anchor)
    before, after = _texts(anchor[:at]), _texts(anchor[at + 1 :])
    if not before:
        raise NoPlaceError("a call begins with no text of its own")
    return before, after, bool(names)


def _texts(anchor: list[str | Name]) -> list[str]:
    return [one for one in anchor if isinstance(one, str)]


def _one(texts: list[str], where: str) -> str:
    if len(texts) != 1:
        raise NoPlaceError(f"{where} is not one text")
    return texts[0]


def _plain(field: object, side: str) -> str:
    """Return the text of an anchor of another field; none where it is more than one."""
    try:
        texts = _texts(_anchor(field, side)) if isinstance(field, Mapping) else []
    except NoPlaceError:
        return ""
    return texts[0] if len(texts) == 1 else ""


def _payload(field: Mapping[str, Any], named: bool) -> Json:
    """Return the payload of a dialect for the content of a field."""
    content, given = field.get("content"), field.get("content_args") or {}
    match content, given, named:
        case "json", {"string_delims": [[str(begin), str(end)]], "unquoted_keys": True}, True:
            if begin != end:
                raise NoPlaceError("a string ends with another text than it begins with")
            return {"scanner": "quoted_object", "quote": begin, "trim": "none", "python": True}
        case "json", {"string_delims": [_, *_]}, _:
            raise NoPlaceError("string_delims has a place only behind a name, with unquoted_keys")
        case "json", _, True:
            return {"scanner": "json_arguments"}
        case "json", _, False:
            return {"scanner": "json_values", "nested": None, **_members(field)}
        case "xml-inline", {"tag_pattern": str(pattern)}, True:
            return {"scanner": "parameters", **_tags(pattern), "python": True, "null_text": True}
    raise NoPlaceError(f"calls with the content {content!r} have no place")


def _members(field: Mapping[str, Any]) -> Json:
    """Return the members of a call in JSON, by the ``transform`` of a field."""
    match field.get("transform"):
        case {"function": "{content}"}:
            return {"names": ["name"], "arguments": ["arguments"]}
        case {"function": {"name": str(name), "arguments": str(arguments)}}:
            found = [re.fullmatch(r"\{content\.(\w+)\}", one) for one in (name, arguments)]
            if all(found):
                names, members = ([one[1]] for one in found if one)
                return {"names": names, "arguments": members}
    raise NoPlaceError("transform takes a call from elsewhere than two members of its content")


def _tags(pattern: str) -> Json:
    """Return how parameters are written, by a ``tag_pattern``."""
    found = [*pieces(pattern, "tag_pattern")]
    names = [at for at, one in enumerate(found) if isinstance(one, Name)]
    if [found[at] for at in names] != [Name("key"), Name("value")]:
        raise NoPlaceError("tag_pattern has not a key and then a value")
    key, value = names
    begin = _one(_texts(found[:key]), "what stands before a key")
    end = _one(_texts(found[value + 1 :]), "what stands behind a value")
    match _texts(found[key + 1 : value]):
        case [name_end]:
            value_begin = ""
        case [name_end, value_begin]:
            pass
        case _:
            raise NoPlaceError("between a key and its value stand not one text or two")
    tags = {"name_begin": begin, "name_end": name_end, "value_begin": value_begin}
    return {**tags, "value_end": end}


def _dialect(
    id: str, before: list[str], after: list[str], closer: str, payload: Json, named: bool
) -> Json:
    """Return a dialect of its own."""
    *around, text = before
    opener: Json = {"text": text}
    if payload["scanner"] == "quoted_object":
        marker, _, begin = text.rpartition(">")
        if not marker or not begin:
            raise NoPlaceError("before a name stands not a marker and a text")
        opener, payload = {"text": f"{marker}>"}, {**payload, "name_begin": begin}
    elif named:
        if len(after) != 1:
            raise NoPlaceError("a name ends not with one text")
        opener |= {"end": after[0], "name": {"prefix": "", "counter": False}}
    whole = {"format": 1, "id": id, "title": "Imported from a response_template", "default": False}
    if not around:
        return {**whole, "opener": opener, "closer": {"text": closer}, "payload": payload}
    outer = _one(around, "what stands before a call")
    section = {"opener": {"text": outer}, "closer": {"text": closer}}
    return {**whole, "section": section, "opener": opener, "closer": None, "payload": payload}


def _known(before: list[str], payload: Json) -> Json | None:
    """Return the dialect of the package that has these markers, and reads what stands in them; of
    several, that of the most formats.
    """
    found = [one for one in DESCRIPTORS if _is_alike(one, before, payload)]
    return max(found, key=lambda one: len(_formats_of(one["id"])), default=None)


def _is_alike(known: Json, before: list[str], payload: Json) -> bool:
    theirs, opener = known["payload"], known["opener"] or {}
    marker = f"<{opener['tag']}>" if "tag" in opener else opener.get("text")
    if theirs["scanner"] != payload["scanner"] or marker is None:
        return False
    written = ("name_begin", "value_end", "quote")
    listed = ("names", "arguments")
    return (
        (before[-1].startswith(marker) if "quote" in payload else before[-1] == marker)
        and all(_bare(theirs.get(one)) == _bare(payload[one]) for one in written if one in payload)
        and all({*payload.get(one, ())} <= {*theirs.get(one, ())} for one in listed)
    )


def _bare(text: object) -> str:
    """Return a text without the quotation mark of a name, which a dialect need not have."""
    return str(text).removesuffix('"')


def _formats_of(dialect: str) -> list[str]:
    return [id for id in format_ids() if dialect in read_format(id)["dialects"]]
