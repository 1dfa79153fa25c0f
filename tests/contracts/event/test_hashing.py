"""`hash_arguments` beyond the fixtures: what holds for any JSON, and the function in Python."""

import copy
import hashlib
import hmac
import json
import math
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.envelope import INVALID_INPUT, Env
from commoncall.event import OPERATIONS, ArgumentsError, Key, hash_arguments
from commoncall.event.hashing import canonical_text
from commoncall.json_text import decode, equal
from tests import examples, shared

OPERATION = OPERATIONS["event.hash_arguments"]

any_character = st.characters(exclude_categories=())  # Surrogates too: harnesses can deliver them.
texts = st.text(any_character, max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
        max_leaves=12,
    )
)
plain_texts = st.text(max_size=8)
plain_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | plain_texts
)
plain_values = st.recursive(
    plain_scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(plain_texts, inner, max_size=4),
    max_leaves=12,
)
objects = examples.shared(st.dictionaries(plain_texts, plain_values, max_size=5))
keys = st.fixed_dictionaries({"id": texts, "secret_hex": st.binary(min_size=1).map(bytes.hex)})
inputs = st.one_of(
    st.fixed_dictionaries({"arguments": json_values}, optional={"key": keys}),
    st.fixed_dictionaries(
        {"arguments_json": texts | json_values.map(json.dumps)},
        optional={"key": keys},
    ),
)


@given(inputs)
def test_a_good_input_gets_a_hash_or_an_error_of_its_own(value: dict[str, object]) -> None:
    before = repr(value)
    outcome = OPERATION(value, Env([], []))
    assert repr(value) == before
    assert OPERATION(copy.deepcopy(value), Env([], [])) == outcome
    if "result" in outcome:
        assert shared.faults_of_result("event.hash_arguments", outcome["result"]) == []
    else:
        assert outcome["error"]["code"] in ("arguments_not_json", "arguments_not_object")


@given(objects)
def test_the_canonical_text_says_the_same_and_is_its_own(value: dict[str, object]) -> None:
    text = canonical_text(value)
    again = decode(text)
    assert equal(again, value)
    assert isinstance(again, dict)
    assert canonical_text(again) == text
    assert [*again] == sorted(again, key=lambda name: name.encode("utf-16-be"))


@given(objects, st.randoms(use_true_random=False), st.sampled_from([None, 1, "\t"]))
def test_order_and_white_space_do_not_count(
    value: dict[str, object], chance: random.Random, indent: int | str | None
) -> None:
    items = list(value.items())
    chance.shuffle(items)
    text = json.dumps(dict(items), indent=indent)
    assert hash_arguments(arguments_json=text) == hash_arguments(value)


@given(objects, st.binary(min_size=1, max_size=80))
def test_the_digests_are_those_of_the_standard_library(
    value: dict[str, object], secret: bytes
) -> None:
    text = canonical_text(value)
    plain, keyed = hash_arguments(value), hash_arguments(value, key=Key("k", secret))
    assert plain["args_preview_hash"] == hashlib.sha256(text[:200].encode()).hexdigest()
    expected = hmac.new(secret, text[:200].encode(), "sha256").hexdigest()
    assert keyed == {
        "args_preview_hash": expected,
        "algorithm": "hmac-sha256",
        "key_id": "k",
    }


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, 10**400, 10**5000, "\ud800", {"\udc00": 1}, {"a": 1, "\udc00": 2}],
    ids=["nan", "inf", "401-digits", "5001-digits", "surrogate", "name", "second-name"],
)
def test_an_object_without_a_json_text_has_no_hash(value: object) -> None:
    with pytest.raises(ArgumentsError) as caught:
        hash_arguments({"n": [value]})
    assert caught.value.code == "arguments_not_json"
    assert str(caught.value) == "arguments_not_json"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(("depth", "good"), [(128, True), (129, False), (100_000, False)])
def test_an_object_has_the_depth_limit_too(depth: int, good: bool) -> None:
    arguments: dict[str, object] = {}
    for _ in range(depth - 1):
        arguments = {"a": arguments}
    if good:
        assert hash_arguments(arguments)
    else:
        with pytest.raises(ArgumentsError, match="arguments_not_json"):
            hash_arguments(arguments)


def test_a_text_that_nests_too_deep_does_not_reach_the_parser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("commoncall.json_text.scan_value", dict)  # which takes no text and place
    with pytest.raises(ArgumentsError, match="arguments_not_json"):
        hash_arguments(arguments_json='{"a":' * 129 + "1" + "}" * 129)
    with pytest.raises(TypeError):
        hash_arguments(arguments_json='{"a":' * 128 + "1" + "}" * 128)


def test_the_defaults_are_those_of_the_operation() -> None:
    outcome = OPERATION({"arguments": None}, Env())
    assert outcome == {"result": hash_arguments()}
    assert OPERATION({"arguments_json": None}, Env()) == INVALID_INPUT


def test_a_key_does_not_show_its_secret() -> None:
    assert "abc" not in repr(Key("k", b"abc"))
    assert "616263" not in repr(Key("k", b"abc"))


def test_of_one_name_twice_the_last_counts() -> None:
    expected = "493df656a590967c84d643bdd55ee956fb53262c51b154115083c9bcc4c992e3"
    hashed = hash_arguments(arguments_json='{"a":1,"b":2,"a":3}')
    assert (
        hashed["args_preview_hash"]
        == expected
        == hash_arguments({"a": 3, "b": 2})["args_preview_hash"]
    )


def test_an_invalid_byte_is_refused_however_the_text_was_read() -> None:
    """No JSON text can carry one, so no case does."""
    raw = b'{"a":"\xff"}'
    with pytest.raises(ArgumentsError, match="arguments_not_json"):
        hash_arguments(arguments_json=raw.decode("utf-8", "surrogateescape"))
    line = b'{"arguments_json":"{\\"a\\":\\"\xff\\"}"}'
    command = [sys.executable, "-m", "commoncall", "run", "event.hash_arguments"]
    done = subprocess.run(command, input=line, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.splitlines()) == 1
