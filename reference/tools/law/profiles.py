"""The linter of the data about endpoints: ``spec/v1/profiles``, and ``spec/v1/interfaces``.

Each has the form of its schema, and its file has its name. Each flag of a profile has evidence.
``lint.py`` runs the checks.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.fixtures.schemas import Schemas, read_files


def endpoint_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return every problem of both, a line each. A tree without the folders has none."""
    found: list[str] = []
    for kind in ("profile", "interface"):
        files, problems = read_files(root, f"spec/v1/{kind}s/*")
        problems += schemas.misfits(f"urn:commoncall:v1:formats:{kind}", files)
        found += problems or [
            f"{path}: {reason}"
            for path, document in files.items()
            for reason in _disagreements(kind, Path(path).stem, document)
        ]
    return found


def _disagreements(kind: str, name: str, document: dict[str, Any]) -> Iterator[str]:
    if document[kind] != name:
        yield f"the {kind} is called {document[kind]}, and its file is not"
    flags, evidence = document.get("flags", {}), document.get("evidence", {})
    for flag in flags.keys() - evidence.keys():
        yield f"the flag {flag} has no evidence"
    for flag in evidence.keys() - flags.keys():
        yield f"evidence for {flag}, which is no flag of this profile"
    for refusal in sorted({*flags.get("refuses", ())} ^ evidence.get("refuses", {}).keys()):
        yield f"{refusal} is refused without evidence, or has evidence and is not refused"
