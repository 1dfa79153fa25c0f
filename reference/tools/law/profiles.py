"""The linter of the data about endpoints: ``spec/v1/profiles``, and ``spec/v1/interfaces``.

Each has the form of its schema, and its file has its name. Each flag of a profile has evidence.
``lint.py`` runs the checks.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.fixtures.schemas import Schemas, read_files

FOLDER = Path("spec/v1/profiles")
INTERFACES = Path("spec/v1/interfaces")
SCHEMA = "urn:commoncall:v1:formats:{}"


def profile_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return every problem of the profiles, a line each. A tree without the folder has none."""
    files, problems = read_files(root, f"{FOLDER}/*")
    problems += schemas.misfits(SCHEMA.format("profile"), files)
    return problems or [
        f"{path}: {reason}"
        for path, document in files.items()
        for reason in _disagreements(Path(path).stem, document)
    ]


def interface_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return every problem of the tables of interfaces, a line each."""
    files, problems = read_files(root, f"{INTERFACES}/*")
    problems += schemas.misfits(SCHEMA.format("interface"), files)
    return problems or [
        f"{path}: the interface is called {document['interface']}, and its file is not"
        for path, document in files.items()
        if document["interface"] != Path(path).stem
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
