"""What the build copies of data and schemas into a schema and into the JavaScript package."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tools.fixtures import made
from tools.fixtures.authored import ROOT
from tools.fixtures.build import stale
from tools.fixtures.bundled import bundles
from tools.fixtures.dialect_copies import (
    CODES,
    JAVASCRIPT,
    PYTHON,
    SCHEMA,
    copies,
)
from tools.fixtures.schemas import read_schemas

DIALECTS = f"{JAVASCRIPT}/extraction/dialect_data.mjs"
FORMATS = f"{JAVASCRIPT}/extraction/format_data.mjs"
PROFILES = f"{JAVASCRIPT}/payload/profile_data.mjs"
FORMS = [f"{PYTHON}/forms.json", f"{JAVASCRIPT}/shared/form_data.mjs"]
LEVELS = [f"{PYTHON}/levels.json", f"{JAVASCRIPT}/shared/level_data.mjs"]
MODELS = f"{JAVASCRIPT}/extraction/format_models.mjs"
NAMES = f"{JAVASCRIPT}/payload/profile_names.d.mts"
PYTHON_NAMES = f"{PYTHON}/names.py"
TABLES = f"{JAVASCRIPT}/interface/table_data.mjs"
COPIES = [SCHEMA, DIALECTS, FORMATS, MODELS, PROFILES, TABLES, *FORMS, *LEVELS, NAMES, PYTHON_NAMES]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The data of this checkout, and the copies of it."""
    for folder in ("dialects", "formats", "profiles", "interfaces"):
        shutil.copytree(ROOT / "spec/v1" / folder, tmp_path / "spec/v1" / folder)
    shutil.copytree(ROOT / "schemas/v1", tmp_path / "schemas/v1")
    for name in [CODES, *COPIES[1:]]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def put(tree: Path, name: str, document: object) -> None:
    (tree / "spec/v1" / name).write_text(json.dumps(document), encoding="utf-8")


def in_node(tree: Path, name: str) -> Any:
    text = (tree / name).read_text(encoding="utf-8")
    held = re.search(r"= (.*);\n\Z", text, re.DOTALL)
    assert held is not None
    return json.loads(held[1])


def constant(found: re.Match[str]) -> str:
    return re.sub(r"\W", "_", found[0]).upper()


def forms_in_node(tree: Path) -> dict[str, Any]:
    """Return each constant by its name, with the name of what it refers to."""
    text = (tree / FORMS[1]).read_text(encoding="utf-8")
    rows = re.findall(r"^export const (\w+) = (.*);$", text, re.MULTILINE)
    forms = {name: json.loads(re.sub(r'(?<="\$ref": )\w+', r'"\g<0>"', row)) for name, row in rows}
    return {name: {key: form[key] for key in form if key != "$id"} for name, form in forms.items()}


def test_this_checkout_holds_what_its_data_say() -> None:
    assert made.stale(ROOT, copies(ROOT)) == []


def test_a_tree_without_the_schema_has_no_copies(tmp_path: Path) -> None:
    assert copies(tmp_path) == {}


def test_a_dialect_is_one_file_of_data(tree: Path) -> None:
    marker = {"text": "<|calls|>"}
    payload = {"scanner": "json_array", "names": ["name"], "arguments": ["arguments"]}
    read = {"id": "a-new-one", "default": False, "excludes": ["tools"]}
    read |= {"opener": marker, "closer": None, "payload": {**payload, "nested": None}}
    named = {"format": 1, "title": "A new one", "models": [], "aliases": []}
    put(tree, "dialects/a-new-one.json", {**named, **read})
    assert stale(tree, {}) == [f"{name}: stale" for name in (SCHEMA, DIALECTS, *FORMS)]
    made.write(tree, copies(tree))
    made.write(tree, bundles(tree))
    assert stale(tree, {}) == []
    assert read in in_node(tree, DIALECTS), "all but what is for people"
    schemas, dialects = read_schemas(tree), "urn:commoncall:v1:extraction:extract#/$defs/dialects"
    assert schemas.problems == []
    assert schemas.errors(dialects, ["a-new-one", "tool_call"]) == []
    assert schemas.errors(dialects, ["a-new-one", "tools"]) != []
    assert schemas.errors(dialects, ["a-newer-one"]) != []


def test_a_format_is_one_file_of_data(tree: Path) -> None:
    read = {"id": "a-1.5", "dialects": ["tools"], "tokens": ["<｜end｜>"]}
    put(tree, "formats/a-1.5.json", {"format": 1, "models": ["a/*"], "names": [], **read})
    assert stale(tree, {}) == [
        f"{name}: stale" for name in (SCHEMA, FORMATS, MODELS, *FORMS, PYTHON_NAMES)
    ]
    made.write(tree, copies(tree))
    assert read in in_node(tree, FORMATS)
    formats = "urn:commoncall:v1:extraction:extract#/$defs/format"
    assert read_schemas(tree).errors(formats, "a-1.5") == []


def test_what_has_no_data_any_more_goes(tree: Path) -> None:
    (tree / "spec/v1/dialects/ifm-pairs.json").unlink()
    (tree / FORMATS).unlink()
    made.write(tree, copies(tree))
    assert made.stale(tree, copies(tree)) == []
    assert "ifm-pairs" not in [document["id"] for document in in_node(tree, DIALECTS)]
    assert '"ifm-pairs"' not in (tree / SCHEMA).read_text(encoding="utf-8")
    assert (tree / FORMATS).exists()


def test_a_profile_is_one_file_of_data(tree: Path) -> None:
    put(tree, "profiles/a-new-one.json", {"format": 1, "flags": {"ids": "any"}, "evidence": {}})
    assert stale(tree, {}) == [f"{name}: stale" for name in (PROFILES, NAMES, PYTHON_NAMES)]
    made.write(tree, copies(tree))
    assert in_node(tree, PROFILES)["a-new-one"] == {"ids": "any"}
    assert in_node(tree, PROFILES)["strict"] == {}


def test_a_form_is_what_its_schema_says_without_words_for_people(tree: Path) -> None:
    path = tree / "schemas/v1/payload/sanitize_history.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["$defs"]["input"]["properties"]["depth"] = {
        "type": "integer",
        "description": "How deep.",
    }
    path.write_text(json.dumps(schema), encoding="utf-8")
    made.write(tree, copies(tree))
    text = (tree / FORMS[0]).read_text(encoding="utf-8")
    python = json.loads(text)
    named = json.loads(re.sub(r'(?<=\n  ")[^"]+|(?<="\$ref": ")[^"]+', constant, text))
    others = {name for name in named if name.startswith("FORMATS_REGISTRY")}
    assert forms_in_node(tree) == {name: named[name] for name in named.keys() - others}
    form = python["payload.sanitize_history"]
    assert form["properties"]["depth"] == {"type": "integer"}
    assert form["properties"]["disposition"] == {"enum": ["skip", "answer"]}
    assert form["required"] == ["messages", "disposition"]


def test_what_no_port_reads_is_no_form(tree: Path) -> None:
    path = tree / "schemas/v1/payload/sanitize_history.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["$defs"]["input"]["maxProperties"] = 3
    path.write_text(json.dumps(schema), encoding="utf-8")
    with pytest.raises(KeyError, match="no port reads maxProperties"):
        made.write(tree, copies(tree))


def test_a_level_is_that_of_the_list(tree: Path) -> None:
    path = tree / CODES
    text = path.read_text(encoding="utf-8")
    row = "| `a_new_one` | `turn.receive` | something is new | note |\n"
    path.write_text(text + row, encoding="utf-8")
    made.write(tree, copies(tree))
    levels = json.loads((tree / LEVELS[0]).read_text(encoding="utf-8"))
    assert levels == in_node(tree, LEVELS[1])
    assert levels["a_new_one"] == "note"
    assert levels["tool_malformed"] == "loss"
