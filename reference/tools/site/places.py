"""Where the site shows what is in the repository, and the files that it serves as they are."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = "fixtures/v1/README.md"
PLACES = (
    (r"spec", "index.md"),
    (r"spec/v1/(profiles|dialects|formats)", r"\1/index.md"),
    (r"spec/v1/(profiles|dialects|formats)/(.+)\.json", r"\1/\2.md"),
    (r"spec/(.+\.(?:md|json|py|mjs|yml))", r"\1"),
    (r"(adr|fixtures|schemas)", r"\1/index.md"),
    (r"schemas/v1", "schemas/index.md"),
    (r"(adr/[0-9]{4}-.+\.md)", r"\1"),
    (r"(schemas/.+)\.schema\.json", r"\1.md"),
    (r"fixtures/v1", GUIDE),
    (r"(fixtures/v1/.+/.+)\.json", r"\1.md"),
    (r"(fixtures/v1/[^/]+)", r"\1"),
    (r"CHANGELOG\.md", "changelog.md"),
)
"""The form of a path in the repository, and its place; the first that fits counts."""


def locate(root: Path, path: str) -> str | None:
    """Return where the site shows a file or a folder; None when it does not.

    Raises:
        LookupError: there is no such path in the repository.
    """
    if not (root / path).exists():
        raise LookupError(path)
    found = ((re.fullmatch(form, path), place) for form, place in PLACES)
    return next((match.expand(place) for match, place in found if match), None)


def raw_files(root: Path) -> dict[str, str | bytes]:
    """Return what is served as it is, by its path on the site."""
    served = [(root / "fixtures/v1", "fixtures/v1"), (root / "schemas", "schemas")]
    served += [(root / "spec", ""), (Path(__file__).parent / "assets", "assets")]
    return {
        (Path(place) / file.relative_to(folder)).as_posix(): file.read_bytes()
        for folder, place in served
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".md"
    }
