"""What others give the kit, files and messages, in the form that their schema has."""

from functools import cache
from pathlib import Path
from typing import Any

from commoncall.files import parsed
from commoncall.forms import troubles
from commoncall.packaged import read_json
from commoncall.places import dotted
from commoncall_kit.suite.data import find_root


def read(content: bytes, kind: str, refuse: type[Exception]) -> Any:
    """Return the JSON of a file, whose form is ``schemas/v1/formats/KIND.schema.json``.

    Raises:
        refuse: it is no JSON, or of another form; the text names the first place that is wrong.
    """
    return checked(parsed(content, refuse), kind, refuse)


def checked(document: Any, kind: str, refuse: type[Exception]) -> Any:
    """Return what was read before; see `read`. ``KIND#NAME`` is a definition of that schema."""
    for place, what in troubles(document, _form(kind)):
        raise refuse(f"{dotted(place) if place else 'it'} {what}")
    return document


@cache
def _form(kind: str) -> Any:
    file, _, name = kind.partition("#")
    schema = read_json(str(find_root() / Path("schemas/v1/formats", f"{file}.schema.json")))
    definitions = schema.get("$defs", {})
    return _whole(definitions[name] if name else schema, definitions)


def _whole(schema: Any, definitions: Any) -> Any:
    """Return a schema with what its references stand for in their place; none is recursive."""
    if isinstance(schema, list):
        return [_whole(one, definitions) for one in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {name: _whole(one, definitions) for name, one in schema.items() if name != "$defs"}
    if "$ref" not in whole:
        return whole
    definition = definitions[whole.pop("$ref").removeprefix("#/$defs/")]
    return {**_whole(definition, definitions), **whole}
