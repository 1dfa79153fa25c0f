"""Values of parameters that are elements in elements (definition "elements")."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from commoncall.extraction.call_value import Refused, name_of
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.parameters import (
    Declared,
    Parameter,
    Schema,
    read_leaf,
    takes_type,
    within,
)
from commoncall.json_text import JSON_SPACE, compact_string

_ITEM: Final = "item"
"""The name that chat templates give to the elements of an array."""
_NO_JSON: Final = ""
"""Given as JSON, it rejects the call."""
_MOST_OPEN: Final = 32


@dataclass(slots=True)
class _Element:
    """An element: its name, and what stands in it."""

    name: str
    inner: list["_Element"] = field(default_factory=list)
    text: str = ""


def with_elements(
    written_name: str, parameters: Sequence[Parameter], dialect: Dialect, declared: Declared
) -> Iterator[Parameter]:
    """Give parameters, those that are elements as JSON, or as no JSON where they are not balanced
    (EXT-221).
    """
    name = name_of(written_name)
    schemas = {} if isinstance(name, Refused) else declared.get(name, {})
    for parameter in parameters:
        key, text, _ = parameter
        if text.lstrip(JSON_SPACE).startswith(dialect.name_begin):
            root = _tree(text, dialect)
            json = _json(root, schemas.get(key, (None, None)), dialect) if root else None
            yield key, _NO_JSON if json is None else json, "json"
        else:
            empty = _empty(text, schemas[key]) if key in schemas else None
            yield (key, empty, "json") if empty else parameter


@cache
def _tag(dialect: Dialect) -> re.Pattern[str]:
    begin, end = re.escape(dialect.name_begin), re.escape(dialect.name_end)
    return re.compile(rf"{begin}(/?)([^<\n/][^<\n]{{0,127}}?){end}")


def _tree(text: str, dialect: Dialect) -> _Element | None:
    """Return an element that holds those of a text; None where they are not balanced."""
    opened = [_Element("")]
    at = 0
    for tag in _tag(dialect).finditer(text):
        between, at = text[at : tag.start()], tag.end()
        last = opened[-1]
        if tag[1] and not last.inner:
            last.text = between
        elif between.strip(JSON_SPACE):
            return None
        if not tag[1]:
            last.inner.append(_Element(tag[2]))
            opened.append(last.inner[-1])
        elif opened.pop().name != tag[2]:
            return None
        if len(opened) > _MOST_OPEN + 1:
            return None
    is_whole = len(opened) == 1 and not text[at:].strip(JSON_SPACE)
    return opened[0] if is_whole else None


def _json(element: _Element, schema: Schema, dialect: Dialect) -> str | None:
    """Return the value of an element as JSON; None where a name repeats in it."""
    if not element.inner:
        return _empty(element.text, schema) or read_leaf(element.text, schema, dialect)
    names = [one.name for one in element.inner]
    is_all_items = set(names) == {_ITEM} and not takes_type(schema, dict)
    if takes_type(schema, list) or is_all_items:
        items = [_json(one, within(schema, "items"), dialect) for one in element.inner]
        return None if None in items else f"[{','.join(filter(None, items))}]"
    if len(set(names)) < len(names):
        return None
    members: list[str] = []
    for one in element.inner:
        value = _json(one, within(schema, "properties", one.name), dialect)
        if value is None:
            return None
        members.append(f"{compact_string(one.name)}:{value}")
    return f"{{{','.join(members)}}}"


def _empty(text: str, schema: Schema) -> str | None:
    """Return the JSON of an array or object without elements, where the schema takes no text."""
    if text.strip(JSON_SPACE) or takes_type(schema, str) is not False:
        return None
    if takes_type(schema, list):
        return "[]"
    return "{}" if takes_type(schema, dict) else None
