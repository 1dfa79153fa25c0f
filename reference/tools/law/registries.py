"""The linter of the registries that stand beside the text as data, `spec/v1/registry-*.json`.

Each has the form for authors, which is the schema `formats/registry`; it loads; and its revision is
a date. Conflicts between providers are what such a file may be there to show.
"""

from datetime import date
from pathlib import Path
from typing import Final

from commoncall_tools.registry_check import check
from tools.fixtures.schemas import Schemas, read_files

PATTERN: Final = "spec/v1/registry-*.json"
SCHEMA: Final = "urn:commoncall:v1:formats:registry"
SHOWN: Final = ("conflict", "unsafe")


def registry_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return what is wrong with the registries below ``root``, each as one line with its file."""
    documents, problems = read_files(root, PATTERN)
    problems += schemas.misfits(SCHEMA, documents)
    for name, document in documents.items():
        # A file that ages in the repository is no mistake of it, so its age is not counted.
        for problem in check(document, today=date.max, max_age=date.max.toordinal()):
            if problem.kind not in SHOWN:
                problems.append(f"{name}: {problem.text}")
    return problems
