"""Catalogues of refusals for the coverage pages of small specifications in tests."""

from tools.law.coverage import CATALOGUES


def section_of(name: str, letter: str, count: int) -> str:
    """A section of a catalogue with this many rows."""
    rows = [f"| {letter}-{n} | One. | out of scope: elsewhere |" for n in range(1, count + 1)]
    return "\n".join([f"## {name}", "", "| n | statement | where |", "|---|---|---|", *rows, ""])


SECTIONS = {name: section_of(name, *row) for name, row in CATALOGUES.items()}
