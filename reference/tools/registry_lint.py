"""The linter of the registries that stand beside the text as data, `spec/v1/registry-*.json`.

Each has the form for authors, which is the schema `formats/registry`; it loads; and its revision is
a date. Conflicts between providers are what such a file may be there to show.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from commoncall.capability.check import check
from tools.schemas import Schemas, read_schemas

FOLDER: Final = "spec/v1"
SCHEMA: Final = "urn:commoncall:v1:formats:registry"
SHOWN: Final = ("conflict", "unsafe")


def registry_problems(root: Path) -> list[str]:
    """Return what is wrong with the registries below ``root``, each as one line with its file."""
    schemas = read_schemas(root)
    return [
        f"{path.relative_to(root).as_posix()}: {problem}"
        for path in sorted((root / FOLDER).glob("registry-*.json"))
        for problem in _problems(path, schemas)
    ]


def _problems(path: Path, schemas: Schemas) -> Iterator[str]:
    try:
        document = json.loads(path.read_bytes())
    except ValueError as error:
        yield str(error)
        return
    for place, message in schemas.errors(SCHEMA, document):
        yield f"{place or '/'}: {message}"
    # A file that ages in the repository is no mistake of it, so its age is not counted.
    for problem in check(document, today=date.max, max_age=date.max.toordinal()):
        if problem.kind not in SHOWN:
            yield problem.text
