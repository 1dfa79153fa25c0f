"""Files that people keep for the kit, in the form that their schema has."""

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
    """Return what was read before; see `read`."""
    for place, what in troubles(document, _form(kind)):
        raise refuse(f"{dotted(place)} {what}")
    return document


@cache
def _form(kind: str) -> Any:
    schema = read_json(str(find_root() / Path("schemas/v1/formats", f"{kind}.schema.json")))
    return _whole(schema, schema.get("$defs", {}))


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
