"""Prints how large the parts of the repository are, beside what each should come to.

A line counts with its comments and blank ones, since a reader reads them all. Nothing is tested: a
bound at the size of the day buys tricks, not clarity.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "reference/python/commoncall"


def lines(paths: Iterable[Path]) -> int:
    """Return the lines of files."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def python(folder: str) -> list[Path]:
    """Return the files of Python below a folder of the repository."""
    return [*(ROOT / folder).rglob("*.py")]


def unreleased() -> int:
    """Return the lines of the changelog that are not released."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return len(text.split("\n## [")[1].splitlines())


def words(folder: str) -> int:
    """Return the words of the pages of a folder."""
    return sum(len(path.read_text("utf-8").split()) for path in (ROOT / folder).glob("*.md"))


def rows() -> Iterator[tuple[str, int, int]]:
    """Yield what is counted, how much it is, and what it should come to."""
    yield "contracts, with what they share", lines(python(PACKAGE)), 9_500
    yield "extraction", lines(python(f"{PACKAGE}/extraction")), 3_200
    yield "kit", lines(python(f"{PACKAGE}_kit")), 4_000
    yield "gateway and plugs", lines(python(f"{PACKAGE}_serve")), 1_200
    yield "commands of users", lines(python(f"{PACKAGE}_tools")), 2_800
    yield "reference/tools", lines(python("reference/tools")), 5_000
    yield "tests/evidence", lines(python("tests/evidence")), 9_000
    yield "words of spec/v1", words("spec/v1"), 38_000
    yield "README", lines([ROOT / "README.md"]), 150
    yield "CONTRIBUTING", lines([ROOT / "CONTRIBUTING.md"]), 100
    yield "changelog, unreleased", unreleased(), 150


if __name__ == "__main__":
    for what, size, target in rows():
        print(f"{what:34}{size:>8,}{target:>8,}")
