"""The files of ``spec/v1/profiles``: read and checked.

A profile has a form (``schemas/v1/formats/profile.schema.json``), its file has its name, and each
flag has evidence. ``lint.py`` runs the checks.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.fixtures.schemas import Schemas, read_files

FOLDER = Path("spec/v1/profiles")
SCHEMA = "urn:commoncall:v1:formats:profile"


def profile_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return every problem of the profiles, a line each. A tree without the folder has none."""
    files, problems = read_files(root, f"{FOLDER}/*")
    problems += schemas.misfits(SCHEMA, files)
    return problems or [
        f"{path}: {reason}"
        for path, document in files.items()
        for reason in _disagreements(Path(path).stem, document)
    ]


def _disagreements(name: str, document: dict[str, Any]) -> Iterator[str]:
    if document["profile"] != name:
        yield f"the profile is called {document['profile']}, and its file is not"
    for flag in document["flags"].keys() - document["evidence"].keys():
        yield f"the flag {flag} has no evidence"
    for flag in document["evidence"].keys() - document["flags"].keys():
        yield f"evidence for {flag}, which is no flag of this profile"
    refuses = {*document["flags"].get("refuses", ())}
    for name in sorted(refuses ^ document["evidence"].get("refuses", {}).keys()):
        yield f"{name} is refused without evidence, or has evidence and is not refused"
