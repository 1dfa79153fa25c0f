"""Where the site shows what is in the repository, and the files that it serves as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

GUIDE: Final = "fixtures/v1/README.md"
PLACES: Final = (
    (r"spec", "index.md"),
    (r"spec/v1/(profiles|dialects)", r"\1/index.md"),
    (r"spec/v1/(profiles|dialects)/(.+)\.json", r"\1/\2.md"),
    (r"spec/(.+\.(?:md|json))", r"\1"),
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

ASSETS: Final = Path(__file__).parent / "assets"
RAW: Final = ("fixtures/v1", "schemas", "spec/v1/profiles")
"""Folders whose files are served as they are."""


def locate(root: Path, path: str) -> str | None:
    """Return where the site shows a file or a folder; None when it does not.

    Raises:
        LookupError: there is no such path in the repository.
    """
    if not (root / path).exists():
        raise LookupError(path)
    found = ((re.fullmatch(form, path), place) for form, place in PLACES)
    return next((match.expand(place) for match, place in found if match), None)


def raw_files(root: Path) -> dict[str, bytes]:
    """Return what is served as it is, by its path on the site."""
    spec = root / "spec"
    found = {file.relative_to(spec): file for file in spec.rglob("*.json")}
    found |= {
        file.relative_to(root): file
        for folder in RAW
        for file in sorted((root / folder).rglob("*"))
        if file.is_file() and file.suffix != ".md"
    }
    found |= {Path("assets", file.name): file for file in ASSETS.iterdir()}
    return {path.as_posix(): file.read_bytes() for path, file in found.items()}
