"""The files of ``spec/v1/profiles``: read, checked, and shown as a table on their page.

A profile has a form (``schemas/v1/formats/profile.schema.json``), its file has its name, and each
flag has evidence. ``spec_lint.py`` runs the checks and, with ``--write``, renews the table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.schemas import read_schemas
from tools.spec_text import Problem

FOLDER = Path("spec/v1/profiles")
PAGE = Path("spec/v1/profiles.md")
SCHEMA = "urn:commoncall:v1:formats:profile"
BEGIN = "<!-- profiles:begin -->"
END = "<!-- profiles:end -->"


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """A file as it was read; ``path`` is relative to the root of the repository."""

    path: Path
    document: Any


def read_profiles(root: Path) -> tuple[list[ProfileFile], list[Problem]]:
    """Return the files that hold JSON, in the order of their ids, and a problem for each other."""
    files: list[ProfileFile] = []
    problems: list[Problem] = []
    for path in sorted((root / FOLDER).glob("*"), key=lambda file: file.stem):
        relative = path.relative_to(root)
        try:
            if path.suffix != ".json":
                raise ValueError("no profile: its name does not end in .json")
            text = path.read_text(encoding="utf-8")
            files.append(ProfileFile(relative, json.loads(text, object_pairs_hook=_members)))
        except ValueError as error:
            problems.append(_problem(relative, str(error)))
    return files, problems


def profile_problems(root: Path) -> list[Problem]:
    """Return every problem of the profiles and of the table on their page.

    A repository without the page has no profiles.
    """
    if not (root / PAGE).exists():
        return []
    files, problems = checked_profiles(root)
    text = (root / PAGE).read_text(encoding="utf-8")
    if not problems and page_with_table(text, files) != text:
        reason = "stale table; run: python3 noxfile.py -s spec -- --write"
        problems.append(_problem(PAGE, reason))
    return problems


def write_table(root: Path) -> bool:
    """Renew the table on the page where all profiles are in form; tell whether it changed."""
    page = root / PAGE
    if not page.exists():
        return False
    files, problems = checked_profiles(root)
    text = page.read_text(encoding="utf-8")
    renewed = text if problems else page_with_table(text, files)
    if renewed != text:
        page.write_text(renewed, encoding="utf-8")
    return renewed != text


def checked_profiles(root: Path) -> tuple[list[ProfileFile], list[Problem]]:
    """Return the files that hold JSON, and every problem of the files."""
    files, problems = read_profiles(root)
    if not files:
        problems.append(_problem(PAGE, f"no file in {FOLDER}"))
    schemas = read_schemas(root)
    for file in files:
        faults = schemas.errors(SCHEMA, file.document)
        problems += [
            _problem(file.path, f"{where or 'the whole'}: {what}") for where, what in faults
        ]
        if not faults:
            problems += [_problem(file.path, reason) for reason in _disagreements(file)]
    return files, problems


def page_with_table(text: str, files: Sequence[ProfileFile]) -> str:
    """Return a page with the table of these profiles between its marks, if it has them."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        return text
    rows = [_row(file.document) for file in files]
    table = "\n".join(["| profile | endpoint | flags |", "|---|---|---|", *rows])
    return f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}"


def _disagreements(file: ProfileFile) -> Iterator[str]:
    document = file.document
    if document["profile"] != file.path.stem:
        yield f"the profile is called {document['profile']}, and its file is not"
    for flag in document["flags"].keys() - document["evidence"].keys():
        yield f"the flag {flag} has no evidence"
    for flag in document["evidence"].keys() - document["flags"].keys():
        yield f"evidence for {flag}, which is no flag of this profile"


def _row(document: dict[str, Any]) -> str:
    name = f"[{document['profile']}](profiles/{document['profile']}.json)"
    title = document["title"].replace("|", "\\|").replace("<", "&lt;")
    return f"| {name} | {title} | {', '.join(f'`{flag}`' for flag in document['flags'])} |"


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member stands twice")
    return members


def _problem(path: Path, reason: str) -> Problem:
    return Problem(path.as_posix(), 1, "-", reason)
