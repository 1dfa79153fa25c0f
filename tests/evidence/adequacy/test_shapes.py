"""What the trivial adapters read from schemas is what the schemas allow."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.adequacy.shapes import Shapes
from tools.fixtures.schemas import DIALECT, read_schemas


def shapes(root: Path, result: Any, **others: Any) -> Shapes:
    folder = root / "schemas" / "v1" / "toy"
    folder.mkdir(parents=True)
    identifier = "urn:commoncall:v1:toy:do"
    document = {"$schema": DIALECT, "$id": identifier, "$defs": {"result": result, **others}}
    (folder / "do.schema.json").write_text(json.dumps(document))
    return Shapes(read_schemas(root), ["/tool/7", "x"])


RESULT = "urn:commoncall:v1:toy:do#/$defs/result"


@pytest.mark.parametrize(
    ("schema", "least"),
    [
        (True, None),
        ({"type": ["string", "null"]}, None),
        ({"type": "boolean"}, False),
        ({"type": "string", "minLength": 1}, "-"),
        ({"type": "string", "pattern": "^/tool/"}, "/tool/7"),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": "array", "items": {"const": 1}, "minItems": 2}, [1, 1]),
        ({"type": "array", "items": {"$ref": "#/$defs/result"}}, []),
        ({"oneOf": [{"const": "b"}, {"type": "null"}]}, "b"),
        ({"type": "object"}, {}),
    ],
)
def test_the_first_choice_is_the_least(tmp_path: Path, schema: Any, least: object) -> None:
    assert shapes(tmp_path, schema).choices(RESULT)[0] == least


def test_a_wish_is_kept_where_the_schema_allows_it(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "kind": {"enum": ["plain", "odd"]},
            "codes": {"type": "array", "items": {"$ref": "#/$defs/code"}, "minItems": 1},
            "name": {"type": "string"},
        },
        "required": ["kind", "name"],
        "if": {"properties": {"kind": {"const": "odd"}}},
        "then": {"required": ["codes"]},
        "else": {"not": {"required": ["codes"]}},
    }
    toy = shapes(tmp_path, {"$ref": "#/$defs/entry"}, entry=schema, code={"enum": ["a", "b"]})
    assert toy.near(RESULT, {}) == {"kind": "plain", "name": ""}
    assert toy.near(RESULT, {"name": "n", "more": 1}) == {"kind": "plain", "name": "n"}
    assert toy.near(RESULT, {"kind": "odd"}) == {"kind": "odd", "codes": ["a"], "name": ""}
    assert toy.near(RESULT, {"name": 1}) == {"kind": "plain", "name": ""}


def test_what_cannot_be_had_is_an_error(tmp_path: Path) -> None:
    toy = shapes(tmp_path, {"type": "object", "properties": {"a": False}, "required": ["a"]})
    with pytest.raises(ValueError, match="no value found"):
        toy.near(RESULT, {})


def test_every_operation_has_a_least_result(root: Path) -> None:
    schemas = read_schemas(root)
    texts = ["0" * 64, "/layers/0", "/request"]
    operations = [name for name in schemas.documents if schemas.defines(f"{name}#/$defs/result")]
    assert operations
    for name in operations:
        least = Shapes(schemas, texts).near(f"{name}#/$defs/result", {})
        assert schemas.errors(f"{name}#/$defs/result", least) == []
