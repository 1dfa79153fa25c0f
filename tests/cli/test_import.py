"""A model's own ``response_template`` as a dialect, and a format as one: what has no place."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from commoncall.dialect_data import DESCRIPTORS, format_ids
from commoncall.extraction import extract
from commoncall.extraction.dialects import dialect_of
from commoncall_tools.response_template import NoPlaceError, imported
from commoncall_tools.template_export import exported
from tests.command import commoncall

Json = dict[str, Any]

TAKEN_APART = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}


def template(content: str, **field: Any) -> Json:
    calls = {"content": content, "repeats": True, "transform": TAKEN_APART, **field}
    words = {"content": "text", "close_pattern": r"<\|over\|>\s*"}
    thought = {"open": "<muse>", "close_pattern": r"</muse>\s*", "content": "text"}
    fields = {"thinking": thought, "tool_calls": calls, "content": words}
    return {"defaults": {"role": "assistant"}, "start_anchor": "<|model|>", "fields": fields}


OBJECTS = template(
    "json",
    open="<|do|>",
    close_pattern=r"<\|done\|>\s*",
    transform={"function": {"name": "{content.verb}", "arguments": "{content.with}"}},
)
NAMED = template("json", open_pattern=r"<\|do\|>\s*(?P<name>\w+)<\|with\|>", close="<|done|>")
WRAPPED = template(
    "json", open_pattern=r"<\|do\|>\n<verb (?P<name>[^>]+)>", close_pattern=r"<\|done\|>"
)
TAGS = template(
    "xml-inline",
    open_pattern=r"<\|do (?P<name>\S+?)\|>",
    close="<|done|>",
    content_args={"tag_pattern": r"<\|key\|>(?P<key>\w+)\s*<\|is\|>(?P<value>.*?)<\|end\|>"},
)
QUOTED = template(
    "json",
    open_pattern=r"<\|do>call:(?P<name>\w+)",
    close="<do\\|>".replace("\\", ""),
    content_args={"unquoted_keys": True, "string_delims": [["<|'|>", "<|'|>"]]},
)
READ = {
    "objects": (OBJECTS, '<|do|>{"verb": "f", "with": {"a": "x"}}<|done|>'),
    "named": (NAMED, '<|do|>f<|with|>{"a": "x"}<|done|>'),
    "wrapped": (WRAPPED, '<|do|>\n<verb f>{"a": "x"}\n<|done|>'),
    "tags": (TAGS, "<|do f|><|key|>a<|is|>x<|end|><|done|>"),
    "quoted": (QUOTED, "<|do>call:f{a:<|'|>x<|'|>}<do|>"),
}


@pytest.mark.parametrize("name", READ)
def test_an_imported_dialect_reads_what_its_model_writes(name: str, root: Path) -> None:
    given, text = READ[name]
    found = imported(given, "of-its-own")
    schema = json.loads((root / "schemas/v1/formats/dialect.schema.json").read_text("utf-8"))
    jsonschema.validate(found["dialect"], schema)
    assert found["of"] == []
    assert found["reasoning"] == {"open": "<muse>", "close": "</muse>"}
    read = extract(f"I do. {text}", effective=["f"], dialects=[dialect_of(found["dialect"])])
    [call] = read["tool_calls"]
    assert (call["name"], call["arguments"], read["content"]) == ("f", {"a": "x"}, "I do.")


KNOWN = {
    "tool_call": template(
        "json",
        open="<tool_call>",
        close="</tool_call>",
        transform={"function": "{content}"},
    ),
    "function-parameters": template(
        "xml-inline",
        open_pattern=r"<tool_call>\s*<function=(?P<name>[^\n>]+)>",
        close_pattern=r"</tool_call>\s*",
        content_args={"tag_pattern": r"<parameter=(?P<key>[^>]+)>\s*(?P<value>.*?)\s*</parameter>"},
    ),
    "argument-pairs": template(
        "xml-inline",
        open_pattern=r"<tool_call>(?P<name>\S+)\n?",
        close_pattern=r"</tool_call>\s*",
        content_args={
            "tag_pattern": r"<arg_key>(?P<key>\S+)</arg_key>\s*<arg_value>(?P<value>.*)</arg_value>"
        },
    ),
    "gemma-call": template(
        "json",
        open_pattern=r"<\|tool_call>call:(?P<name>\w+)",
        close_pattern=r"<tool_call\|>\s*",
        content_args={"unquoted_keys": True, "string_delims": [['<|"|>', '<|"|>']]},
    ),
}


@pytest.mark.parametrize("id", KNOWN)
def test_what_the_package_knows_is_found(id: str) -> None:
    found = imported(KNOWN[id], "of-its-own")
    assert found["dialect"] in DESCRIPTORS
    assert found["dialect"]["id"] == id
    assert found["of"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (None, "it is no response_template"),
        ({"fields": {"content": {}}}, "it has no field tool_calls"),
        (template("text", open="<|do|>", close="<|done|>"), "calls with the content 'text'"),
        (template("json", open=["<a>", "<b>"], close="</a>"), "open is not one text"),
        (template("json", open=[], close="</a>"), "open is not one text"),
        (template("json", open="", close="</a>"), "the field tool_calls has no open"),
        (template("json", open="<|do|>", close_pattern="a|b"), "close_pattern is more than texts"),
        (template("json", open="<|do|>"), "the field tool_calls has no close"),
        (template("json", open_pattern=r"(?P<name>\w+)\(", close=")"), "begins with no text"),
        (template("json", open_pattern=r"<do>(?P<name>\w+)", close="</do>"), "a name ends not"),
        (template("json", open="<|do|>", close="<|done|>"), "transform takes a call from"),
        (
            template("xml-inline", open_pattern="<f (?P<name>.)>", close="</f>", content_args={}),
            "calls with the content 'xml-inline'",
        ),
    ],
)
def test_what_has_no_place_is_said(given: object, why: str) -> None:
    with pytest.raises(NoPlaceError, match=why):
        imported(given, "of-its-own")


NOT_HELD = {
    "a call begins with no text of its own": "gemma-3 llama-3 llama-3-pythonic llama-4 xlam",
    "a call is not made of": "apertus lfm-2 minimax-m3 olmo-3 sarashina",
    "its messages have no channels": "muse",
}


@pytest.mark.parametrize("why", NOT_HELD)
def test_formats_that_no_template_holds(why: str) -> None:
    for id in NOT_HELD[why].split():
        with pytest.raises(NoPlaceError, match=why):
            exported(id)


def test_all_other_formats_have_a_template() -> None:
    """What these read is asked of transformers itself, in the session `servers`."""
    for id in {*format_ids()} - {*" ".join(NOT_HELD.values()).split()}:
        fields = exported(id)["fields"]
        assert [*fields] == ["reasoning_content", "tool_calls", "content"]
        for field in fields.values():
            re.compile(field.get("open_pattern", "")), re.compile(field.get("close_pattern", ""))


def test_there_and_back() -> None:
    assert imported(exported("hermes"), "of-its-own")["dialect"]["id"] == "tool_call"


@pytest.mark.parametrize("prompt", ["<|im_start|>assistant\n<think>\n", "<|im_start|>assistant\n"])
def test_what_a_prompt_opens_belongs_to_the_reply(prompt: str) -> None:
    pattern = exported("hermes")["start_anchor_pattern"]
    [end] = [one.end() for one in re.finditer(pattern, f"<think>x</think>{prompt}")]
    assert f"<think>x</think>{prompt}"[end:] == prompt.partition("assistant\n")[2]


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer_config.json"
    file.write_text(json.dumps({"response_template": NAMED, "model_max_length": 9}), "utf-8")
    done = commoncall("formats", "import", str(file))
    assert (done.returncode, json.loads(done.stdout)) == (0, imported(NAMED, "imported"))
    done = commoncall("formats", "import", given=json.dumps({"fields": {}}))
    assert done.returncode == 2
    done = commoncall("formats", "import", "-", given=json.dumps({"fields": {}}))
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no dialect: it has no field tool_calls" in done.stderr
    assert commoncall("formats", "hermes", str(file)).returncode == 2
    done = commoncall("formats", "export", "hermes")
    assert (done.returncode, json.loads(done.stdout)) == (0, exported("hermes"))
    done = commoncall("formats", "export", "gemma-3")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no template: a call begins with no text" in done.stderr
    assert commoncall("formats", "export").returncode == 2
