"""The strict loader: JSON's values and no others, one error type, no doubt about a type."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.each import check_each
from tools.fixtures.strict_yaml import MAX_DEPTH, StrictYamlError, load, load_file

ACCEPTED = {
    "a: null": {"a": None},
    "a: true": {"a": True},
    "a: -0.5e-3": {"a": -0.5e-3},
    "a: 1e3": {"a": 1000.0},
    "a: 9007199254740992": {"a": 2**53},
    "a: -9007199254740992": {"a": -(2**53)},
    "a: plain words": {"a": "plain words"},
    "a: 128 levels": {"a": "128 levels"},
    "a: 1.2.3": {"a": "1.2.3"},
    "a: inf": {"a": "inf"},
    "a: yesterday": {"a": "yesterday"},
    "a: 'no'": {"a": "no"},
    'a: "010"': {"a": "010"},
    "a: ''": {"a": ""},
    "a: |\n  no\n": {"a": "no\n"},
    "a: >-\n  no\n  12:30\n": {"a": "no 12:30"},
    'a: "\\u00e9\\u2028\\x85\\ufeff\\U0001F600"': {"a": "\u00e9\u2028\x85\ufeff\U0001f600"},
    "'1': b": {"1": "b"},
    "[]": [],
    "--- {}\n...\n": {},
    "# comment\na: b # comment\n": {"a": "b"},
}

# Text, the line that the error names, and a part of the reason.
REFUSED = [
    ("a: 1\nb: 2\na: 3", 3, 'the key "a" again'),
    ("{a: 1, 'a': 2}", 1, 'the key "a" again'),
    ("a: &x 1", 1, "an anchor"),
    ("a: *x", 1, "an alias"),
    ("&x a: 1", 1, "an anchor"),
    ("a: !!int '1'", 1, "a tag"),
    ("a: !own b", 1, "a tag"),
    ("a: ! b", 1, "a tag"),
    ("!!map {a: 1}", 1, "a tag"),
    ("a:\n  <<: {b: 1}", 2, "a merge key"),
    ("a: <<", 1, "read differently"),
    ("1: a", 1, "a key that is no string"),
    ("null: a", 1, "a key that is no string"),
    ("? [a]\n: b", 1, "a key that is no string"),
    ("? {a: b}\n: c", 1, "a key that is no string"),
    ("yes: a", 1, "read differently"),
    ("a:\nb: 1", 1, "an empty value"),
    ("{a, b: 1}", 1, "an empty value"),
    ("- \n- 1", 1, "an empty value"),
    ("? \n: a", 1, "an empty value"),
    ("", 1, "no document"),
    ("\n# nothing\n", 1, "no document"),
    ("---\n", 2, "an empty value"),
    ("a: 1\n---\nb: 2", 2, "more than one document"),
    ("%YAML 1.2\n---\na: 1", 1, "a directive"),
    ("%TAG ! !x\n---\na: 1", 1, "a directive"),
    ("a: 1\r\nb: 2", 1, "a carriage return"),
    ("\ufeffa: 1", 1, "a byte order mark"),
    ("a: b\nc: \ufeff", 2, "a byte order mark"),
    ("a: b\nc: 'd\x85'", 2, "a raw U+0085"),
    ("a: |\n  b\u2028c", 2, "a raw U+2028"),
    ("# \u2029", 1, "a raw U+2029"),
    ("a: b\nc: \x7f", 2, "U+007F must be escaped"),
    ("a: \ud800", 1, "U+D800 must be escaped"),
    ('a: "\\ud83d"', 1, "an escape of no character"),
    ('a: "\\ud83d\\ude00"', 1, "an escape of no character"),
    ('"\\udfff": a', 1, "an escape of no character"),
    ('a: b\nc: "\\U00110000"', 2, "an escape of no character"),
    ('a: "\\UFFFFFFFF"', 1, "an escape of no character"),
    ("a: 1e400", 1, "not finite"),
    ("a: -1E400", 1, "not finite"),
    ("a: 9007199254740993", 1, "beyond 2^53"),
    ("a: -9007199254740993", 1, "beyond 2^53"),
    ("a: " + "9" * 300, 1, "beyond 2^53"),
    ("a: " + "9" * 5000, 1, "not finite"),
    ("a: [", 2, "expected node content"),
    ("a: 'b", 1, "unexpected end of stream"),
    ("a: b: c", 1, "mapping values are not allowed"),
    ("\ta: b", 1, "cannot start any token"),
    ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), 1, "nested deeper than 100"),
    ("- " * 5000 + "a", 1, "nested deeper than 100"),
]

MISREAD = [
    *["y", "Y", "n", "N", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off"],
    *["OFF", "True", "TRUE", "False", "FALSE", "~", "Null", "NULL", "=", "<<"],
    *["0x1F", "-0xff", "0b11", "+0b1", "0o17", "010", "-010", "089", "1_000"],
    *["+1", "1.", "+1.", ".5", "-.5", "1_0.5", "1.5_0", "+1e3", ".5e3", "01e3"],
    *[".nan", ".NaN", ".NAN", ".inf", "-.inf", "+.Inf", ".INF"],
    *["12:30", "12:30:45", "-1:30", "1:30.5"],
    *["2026-05-10", "2026-5-1", "2026-05-10T12:30:00Z", "2026-05-10 12:30"],
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepts(text: str) -> None:
    value = load(text, "f.yaml")
    assert json.dumps(value) == json.dumps(ACCEPTED[text])


def test_refuses() -> None:
    def check(refused: tuple[str, int, str]) -> None:
        text, line, reason = refused
        with pytest.raises(StrictYamlError) as caught:
            load(text, "f.yaml")
        assert reason in caught.value.reason
        assert caught.value.line == line
        assert str(caught.value) == f"f.yaml:{line}: {caught.value.reason}"

    check_each(((repr(each[0][:80]), each) for each in REFUSED), check)


def test_refuses_what_other_loaders_type() -> None:
    def check(scalar: str) -> None:
        for text in (f"a: {scalar}", f"[{scalar}]", f"b: {{a: {scalar} }}"):
            with pytest.raises(StrictYamlError, match="read differently"):
                load(text, "f.yaml")
        assert load(f"a: '{scalar}'", "f.yaml") == {"a": scalar}

    check_each(((each, each) for each in MISREAD), check)


@given(st.text("0123456789.:_+-eExXobnaftTrulsy~=<", min_size=1, max_size=8))
def test_a_plain_string_is_a_string_to_the_usual_loader(scalar: str) -> None:
    try:
        value = load(f"a: {scalar}", "f.yaml")
    except StrictYamlError:
        return
    usual = yaml.safe_load(f"a: {scalar}")
    # YAML 1.1 as PyYAML has it reads 1e3 as a string; JSON and YAML 1.2 read a number.
    assert value == usual or json.loads(scalar) == value["a"]  # type: ignore[index]


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab1~<=", max_size=3), inner),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_json_is_a_part_of_it(value: object) -> None:
    assert json.dumps(load(json.dumps(value), "f.yaml")) == json.dumps(value)
    assert json.dumps(load(json.dumps(value, indent=2), "f.yaml")) == json.dumps(value)


@given(st.text("ab1 \n\t-:,?#&*!|>'\"%@`[]{}\\uxU0~<=.", max_size=40))
def test_raises_nothing_else(text: str) -> None:
    try:
        value = load(text, "f.yaml")
    except StrictYamlError:
        return
    json.dumps(value, allow_nan=False)


def test_reads_bytes_of_a_file_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes("a: é\n".encode())
    assert load_file(path, "f.yaml") == {"a": "é"}
    path.write_bytes(b"a: b\r\n")
    with pytest.raises(StrictYamlError, match=r"f\.yaml:1: a carriage return"):
        load_file(path, "f.yaml")
    path.write_bytes(b"a: b\nc: \xe9\n")
    with pytest.raises(StrictYamlError, match=r"f\.yaml:2: not UTF-8"):
        load_file(path, "f.yaml")
