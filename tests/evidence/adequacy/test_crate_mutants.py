"""The form of the lists of wrong readings of the crate."""

from pathlib import Path

from commoncall_kit.suite.data import load
from tests.evidence.adequacy import crate_mutants


def test_every_row_applies_and_none_stands_twice(root: Path) -> None:
    rows = crate_mutants.read(root)
    known = load(root).requirements
    for one in rows:
        text = (root / crate_mutants.CRATE / crate_mutants.SOURCES / one.file).read_text("utf-8")
        assert text.count(one.find) == 1, one
        assert one.requirement in known, one
        for text in (one.find, one.replace):
            # Both become expressions of one copy: a row that is none takes all others with it.
            assert not text.endswith((";", "{", " ")), one
            assert text, one
    assert len({(one.file, one.find, one.replace) for one in rows}) == len(rows)
