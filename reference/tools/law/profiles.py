"""The files of ``spec/v1/profiles``: read, checked, and shown as a table on their page.

A profile has a form (``schemas/v1/formats/profile.schema.json``), its file has its name, and each
flag has evidence. ``lint.py`` runs the checks and, with ``--write``, renews the table.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.fixtures.schemas import Schemas, read_files
from tools.law.text import filled

FOLDER = Path("spec/v1/profiles")
PAGE = Path("spec/v1/profiles.md")
SCHEMA = "urn:commoncall:v1:formats:profile"
BEGIN = "<!-- profiles:begin -->"
END = "<!-- profiles:end -->"


class ProfileFile(NamedTuple):
    """A file as it was read; ``path`` is relative to the root of the repository."""

    path: Path
    document: Any


def read_profiles(root: Path) -> tuple[list[ProfileFile], list[str]]:
    """Return the files that hold JSON, in the order of their ids, and a line for each other."""
    documents, problems = read_files(root, f"{FOLDER}/*")
    return [ProfileFile(Path(path), document) for path, document in documents.items()], problems


def profile_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return every problem of the profiles and of the table on their page, a line each.

    A repository without the page has no profiles.
    """
    if not (root / PAGE).exists():
        return []
    files, problems = _checked(root, schemas)
    if not problems and _stale(root, files):
        problems.append(f"{PAGE}: stale table; run: python3 noxfile.py -s spec -- --write")
    return problems


def write_table(root: Path, schemas: Schemas) -> bool:
    """Renew the table on the page where all profiles are in form; tell whether it changed."""
    files, problems = _checked(root, schemas)
    renewed = "" if problems or not (root / PAGE).exists() else _stale(root, files)
    if renewed:
        (root / PAGE).write_text(renewed, encoding="utf-8")
    return bool(renewed)


def _checked(root: Path, schemas: Schemas) -> tuple[list[ProfileFile], list[str]]:
    files, problems = read_profiles(root)
    problems += schemas.misfits(SCHEMA, {str(path): document for path, document in files})
    if not files:
        problems.append(f"{PAGE}: no file in {FOLDER}")
    if not problems:
        problems = [f"{file.path}: {reason}" for file in files for reason in _disagreements(file)]
    return files, problems


def _stale(root: Path, files: Sequence[ProfileFile]) -> str:
    """Return the page with a fresh table; "" where it has that, or no place for it."""
    text = (root / PAGE).read_text(encoding="utf-8")
    rows = [_row(file.document) for file in files]
    table = ["", "| profile | endpoint |", "|---|---|", *rows, ""]
    renewed = filled(text, BEGIN, END, table) or ""
    return "" if renewed == text else renewed


def _disagreements(file: ProfileFile) -> Iterator[str]:
    document = file.document
    if document["profile"] != file.path.stem:
        yield f"the profile is called {document['profile']}, and its file is not"
    for flag in document["flags"].keys() - document["evidence"].keys():
        yield f"the flag {flag} has no evidence"
    for flag in document["evidence"].keys() - document["flags"].keys():
        yield f"evidence for {flag}, which is no flag of this profile"
    refuses = {*document["flags"].get("refuses", ())}
    for name in sorted(refuses ^ document["evidence"].get("refuses", {}).keys()):
        yield f"{name} is refused without evidence, or has evidence and is not refused"


def _row(document: dict[str, Any]) -> str:
    name = f"[{document['profile']}](profiles/{document['profile']}.json)"
    title = document["title"].replace("|", "\\|").replace("<", "&lt;")
    return f"| {name} | {title} |"
