"""Values for every bundled schema, right and wrong ones: those of the cases, and neighbours."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.neighbours import variants
from tools.fixtures import authored
from tools.fixtures.authored import schema_reference
from tools.fixtures.schemas import read_schemas

GARBAGE: Final = {"garbage": 1}
"""What is accepted by who has not understood the root."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value, the bundled schema that it is of, and whether that of its operation takes it."""

    schema: str
    text: str
    valid: bool
    case: bool


def values() -> Iterator[Value]:
    """Yield input and result of each case, and neighbours of those of the first case of a suite."""
    root = authored.ROOT
    tree, schemas = authored.read_tree(root), read_schemas(root)
    for suite in tree.suites.values():
        stem = suite["operation"].replace(".", "/")
        for number, case in enumerate(suite["cases"]):
            both = {"input": authored.case_input(case)}
            if "result" in case["expect"]:
                both["result"] = case["expect"]["result"]
            for side, value in both.items():
                reference = schema_reference(suite["operation"], side)
                asked = [*variants(value), GARBAGE] if number == 0 else [value]
                for place, each in enumerate(asked):
                    # A lone surrogate is no text of UTF-8; which character it is minds no schema.
                    text = json.dumps(each, ensure_ascii=False).encode("utf-8", "replace").decode()
                    valid = schemas.fits(reference, json.loads(text))
                    yield Value(f"{stem}.{side}", text, valid, case=place == 0)
