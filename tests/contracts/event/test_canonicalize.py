"""The hashes of arguments against Node and the npm package `canonicalize`, which share no code with
the reference: every vector of the fixtures, and 2,000 generated documents.

The session `tests` installs the package; where that could not be done, the summary of pytest says
what was not run.
"""

import json
import math
import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from commoncall.event import ArgumentsError, Key, hash_arguments
from commoncall.event.hashing import canonical_text
from commoncall.json_text import MAX_DEPTH, decode, text_depth

FOLDER = Path(__file__).parent / "canonicalize"
DOCUMENTS = 2000
Question = dict[str, str]
Ask = Callable[[Sequence[Question]], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ask() -> Ask:
    """Return what puts questions to one run of Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("NOT RUN: hashes against Node: there is no command `node`")
    if not (FOLDER / "node_modules/canonicalize").is_dir():
        pytest.skip(
            "NOT RUN: hashes against Node: "
            "`npm ci` in tests/contracts/event/canonicalize comes first"
        )

    def answers(questions: Sequence[Question]) -> list[dict[str, Any]]:
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        command = [node, str(FOLDER / "hash.mjs")]
        done = subprocess.run(
            command, input=lines, capture_output=True, encoding="utf-8", check=True
        )
        # Not splitlines: JSON.stringify writes U+2028 as it is.
        found = [json.loads(line) for line in done.stdout.split("\n") if line]
        assert len(found) == len(questions)
        return found

    return answers


def test_node_gives_every_hash_of_the_fixtures(root: Path, ask: Ask) -> None:
    cases = [
        case
        for path in sorted((root / "fixtures/v1/event").glob("hash-*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
        if "result" in case["expect"]
    ]
    inputs = [case_input(case) for case in cases]
    found = ask([question(given) for given in inputs])
    for case, answer in zip(cases, found, strict=True):
        result = case["expect"]["result"]
        assert answer["preview"] == result["args_preview_hash"], case["id"]
    assert len(cases) >= 70


def repeats_a_name(text: str) -> bool:
    """Tell whether a JSON text has an object with two members of one name."""
    repeats: list[bool] = []

    def members(pairs: list[tuple[str, object]]) -> None:
        repeats.append(len({name for name, _ in pairs}) < len(pairs))

    try:
        json.loads(text, object_pairs_hook=members)
    except (ValueError, RecursionError):
        return False
    return any(repeats)


def test_node_refuses_every_text_that_is_no_json_text(root: Path, ask: Ask) -> None:
    path = root / "fixtures/v1/event/hash-errors.json"
    cases = [
        case
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
        if case["expect"] == {"error": {"code": "arguments_not_json"}}
        # JSON.parse drops a member whose name comes again, whatever it held, and has no limit of
        # depth.
        and not repeats_a_name(text := str(case_input(case).get("arguments_json", "")))
        and text_depth(text) <= MAX_DEPTH
    ]
    found = ask([question(case_input(case)) for case in cases])
    assert [case["id"] for case, answer in zip(cases, found, strict=True) if len(answer) > 1] == []
    assert len(cases) >= 18


def test_node_agrees_on_generated_documents(ask: Ask) -> None:
    texts = [*documents(random.Random(8785), DOCUMENTS)]
    secret = bytes(range(32))
    plain = ask([{"text": text} for text in texts])
    keyed = ask([{"text": text, "secret_hex": secret.hex()} for text in texts])
    refused = 0
    for text, answer, other in zip(texts, plain, keyed, strict=True):
        try:
            ours = hash_arguments(arguments_json=text)
        except ArgumentsError:
            refused += 1
            assert answer == other == {"refused": True}, text
            continue
        value = decode(text)
        assert isinstance(value, dict)
        assert answer == {
            "canonical": canonical_text(value),
            "preview": ours["args_preview_hash"],
        }, text
        theirs = hash_arguments(arguments_json=text, key=Key("k", secret))
        assert other["preview"] == theirs["args_preview_hash"]
    assert 20 < refused < DOCUMENTS / 4


def case_input(case: dict[str, Any]) -> dict[str, Any]:
    """Return the input of a case, which is a text where YAML cannot hold it."""
    given = json.loads(case["input_json"]) if "input_json" in case else case["input"]
    assert isinstance(given, dict)
    return given


def question(given: dict[str, Any]) -> Question:
    """Return an input as a question to Node."""
    data = given.get("arguments")
    text = given.get("arguments_json", json.dumps({} if data is None else data))
    asked = {"text": text}
    return {**asked, "secret_hex": given["key"]["secret_hex"]} if "key" in given else asked


def documents(chance: random.Random, count: int) -> Iterator[str]:
    """Make texts of objects: any code point, any binary64, any spelling; a few are no JSON text."""
    for _ in range(count):
        yield an_object(chance, chance.randint(0, 4))


def an_object(chance: random.Random, depth: int) -> str:
    members = [
        f"{space(chance)}{a_string(chance)}{space(chance)}:{a_value(chance, depth)}"
        for _ in range(chance.randint(0, 5))
    ]
    return "{" + ",".join(members) + space(chance) + "}"


def a_value(chance: random.Random, depth: int) -> str:
    kind = chance.randint(0, 9 if depth else 7)
    if kind <= 3:
        value = a_number(chance)
    elif kind <= 6:
        value = a_string(chance)
    elif kind == 7:
        value = chance.choice(["null", "true", "false", "{}", "[]"])
    elif kind == 8:
        items = [a_value(chance, depth - 1) for _ in range(chance.randint(0, 4))]
        value = "[" + ",".join(items) + "]"
    else:
        value = an_object(chance, depth - 1)
    return space(chance) + value + space(chance)


def a_number(chance: random.Random) -> str:
    kind = chance.randint(0, 5)
    if kind == 0:
        return str(chance.randint(-(10**40), 10**40))
    if kind == 1:
        return str(chance.choice([-1, 1]) * (2 ** chance.randint(50, 70) + chance.randint(-2, 2)))
    if kind == 2:
        sign, digits = chance.choice(["", "-"]), chance.randint(0, 99999)
        exponent = chance.choice([-330, -30, -7, -6, 0, 15, 20, 21, 22, 300, 307])
        return f"{sign}{digits}.{chance.randint(0, 999):03}{chance.choice('eE')}{exponent:+d}"
    if kind == 3:
        return chance.choice(["0", "-0", "0.0", "-0e5", "1e21", "1e-7", "5e-324", "1e23", "100.0"])
    while not math.isfinite(number := struct.unpack("<d", chance.randbytes(8))[0]):
        pass
    return repr(number)


def a_string(chance: random.Random) -> str:
    return '"' + "".join(a_character(chance) for _ in range(chance.choice([1, 3, 60]))) + '"'


def a_character(chance: random.Random) -> str:
    """Return one character of a JSON string, raw or escaped; rarely half a surrogate pair."""
    code = chance.choice(
        [
            chance.randint(0x20, 0x7F),
            chance.randint(0x20, 0x7F),
            chance.randint(0, 0x1F),
            chance.randint(0x80, 0x2FF),
            chance.randint(0x2000, 0xD7FF),
            chance.randint(0xE000, 0xFFFF),
            chance.randint(0x10000, 0x10FFFF),
        ]
    )
    if chance.random() < 0.0005:
        return f"\\u{chance.randint(0xD800, 0xDFFF):04x}"
    raw = chr(code)
    if code < 0x20 or raw in '"\\' or chance.random() < 0.3:
        units = raw.encode("utf-16-be")
        return "".join(f"\\u{units[at]:02X}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    return raw


def space(chance: random.Random) -> str:
    return chance.choice(["", "", " ", "\n\t", "\r\n "])
