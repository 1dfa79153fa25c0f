"""Each requirement that some system does not keep was read as a lawyer of that system would."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests import shared
from tests.systems import record

HERE: Final = Path(__file__).parent
READINGS: Final[list[dict[str, Any]]] = json.loads((HERE / "readings.json").read_text("utf-8"))
KINDS: Final = {"kept", "taste at its edge", "not compared", "follows"}


def not_kept() -> Iterator[str]:
    """Give the requirements of the cases that some system was asked and does not keep."""
    asked = {case.id: case for case in shared.suite().cases if case.origin != "convention"}
    for path in sorted((HERE / "reports").glob("*.json")):
        for name in json.loads(path.read_text("utf-8"))["others"]:
            if name in asked:
                yield from asked[name].requirements


def test_each_requirement_that_is_not_kept_has_one_reading() -> None:
    assert [each["requirement"] for each in READINGS] == sorted(set(not_kept()))


def test_a_reading_says_what_it_is_and_why() -> None:
    law = set(shared.suite().requirements)
    for each in READINGS:
        assert each["reading"] in KINDS
        assert each["why"].endswith((".", ")."))
        assert law.issuperset(each.get("of", ()))


def test_an_adapter_in_javascript_is_run_by_node(tmp_path: Path) -> None:
    (tmp_path / "adapter.mjs").touch()
    command = record.adapter(tmp_path / "toy.json")
    assert command == ["node", str(tmp_path / "adapter.mjs"), "toy"]
