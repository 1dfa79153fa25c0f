"""Catalogues of refusals for the coverage pages of small specifications in tests."""

from tools.law.coverage import CATALOGUES


def section_of(name: str, letter: str) -> str:
    """A section of a catalogue with two rows."""
    rows = [f"| {letter}-{n} | One. | out of scope: elsewhere |" for n in (1, 2)]
    return "\n".join([f"## {name}", "", "| n | statement | where |", "|---|---|---|", *rows, ""])


SECTIONS = {name: section_of(name, letter) for name, letter in CATALOGUES.items()}
