"""No pattern of the packages is one that an old Python misreads.

Before 3.11.5 `re` keeps what a round of a possessive quantifier took before it failed: in "a a  :"
`a(?: ++[a]++)*+` took the blanks before the colon, and calls were found where there are none. On
one character possessive quantifiers are right, and atomic groups are right around anything.
"""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from commoncall.dialect_data import DESCRIPTORS, format_ids
from tests.repository.test_imports import ABOVE, EXTRAS, MODULES

PARSER = importlib.import_module("re._parser")

ONE_CHARACTER = {"ANY", "IN", "LITERAL", "NOT_LITERAL"}
"""What a quantifier may repeat, as the parser calls it."""

COMPILE = """
import importlib, json, re, sys

parser = importlib.import_module("re._parser")
parse, seen = parser.parse, {}

def parse_and_note(pattern, flags=0, *rest):
    if isinstance(pattern, str):
        seen[pattern, int(flags)] = None
    return parse(pattern, flags, *rest)

re.purge()
parser.parse = parse_and_note
modules, inputs = json.load(sys.stdin)
for module in modules:
    importlib.import_module(module)
from commoncall.envelope import Env
from commoncall.operations import OPERATIONS
for given in inputs:
    OPERATIONS["extraction.extract"](given, Env())
json.dump(list(seen), sys.stdout)
"""
"""Prints what is compiled where the modules are imported and inputs are read."""


def repeated(tree: Any) -> Iterator[list[str]]:
    """Give what each possessive quantifier of a parsed pattern repeats, as the parser calls it."""
    if isinstance(tree, tuple | list | PARSER.SubPattern):
        if len(tree) == 2 and str(tree[0]) == "POSSESSIVE_REPEAT":
            yield [str(code) for code, _ in tree[1][2]]
        for part in tree:
            yield from repeated(part)


def is_misread(pattern: str, flags: int = 0) -> bool:
    found = repeated(PARSER.parse(pattern, flags))
    return any(len(codes) != 1 or codes[0] not in ONE_CHARACTER for codes in found)


@pytest.mark.parametrize(
    "pattern", ["(?:ab)*+", "(?:a|bc){0,3}+", "x(?=(?:[ab]c)++)", "(a)?+", "(?:(?>a(?:bc)?+)|d)*"]
)
def test_what_is_misread(pattern: str) -> None:
    assert is_misread(pattern)


@pytest.mark.parametrize("pattern", ["a++[^b]*+.?+", "(?:a++b)*", "(?>(?:a++|bc)*)", "(?:a){2}+"])
def test_what_is_read_rightly(pattern: str) -> None:
    assert not is_misread(pattern)


def test_no_pattern_of_the_packages_is_misread() -> None:
    modules = sorted(MODULES.keys() - EXTRAS.keys() - ABOVE)
    inputs: list[dict[str, object]] = [{"format": name} for name in format_ids()]
    inputs += [{"dialects": [each["id"]]} for each in DESCRIPTORS]
    given = [modules, [{"text": "<", "effective": ["f"], **each} for each in inputs]]
    done = subprocess.run(
        [sys.executable, "-c", COMPILE],
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    patterns = json.loads(done.stdout)
    assert len(patterns) > len(inputs)
    assert [pattern for pattern, flags in patterns if is_misread(pattern, flags)] == []
