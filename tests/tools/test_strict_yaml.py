"""The strict loader: JSON's values and no others, and one error type."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import check_each
from tools.fixtures.strict_yaml import StrictYamlError, load, load_file

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
    "[no, 12:30, 010, ~, 2026-05-10]": ["no", "12:30", "010", "~", "2026-05-10"],
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
    ("a: &x 1", 1, "an anchor, an alias or a tag"),
    ("a: *x", 1, "an anchor, an alias or a tag"),
    ("&x a: 1", 1, "an anchor, an alias or a tag"),
    ("a: !!int '1'", 1, "an anchor, an alias or a tag"),
    ("a: !own b", 1, "an anchor, an alias or a tag"),
    ("!!map {a: 1}", 1, "an anchor, an alias or a tag"),
    ("1: a", 1, "a key that is no string"),
    ("null: a", 1, "a key that is no string"),
    ("? [a]\n: b", 1, "a key that is no string"),
    ("? {a: b}\n: c", 1, "a key that is no string"),
    ("a:\nb: 1", 1, "an empty value"),
    ("{a, b: 1}", 1, "an empty value"),
    ("- \n- 1", 1, "an empty value"),
    ("? \n: a", 1, "an empty value"),
    ("", 1, "no document"),
    ("\n# nothing\n", 1, "no document"),
    ("---\n", 2, "an empty value"),
    ("a: 1\n---\nb: 2", 2, "more than one document"),
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
    path.write_bytes(b"a: b\nc: \xe9\n")
    with pytest.raises(StrictYamlError, match=r"f\.yaml:2: not UTF-8"):
        load_file(path, "f.yaml")
