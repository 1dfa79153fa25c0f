"""The linter of the formats, ``spec/v1/formats/*.json``: what is beyond their schema.

``lint.py`` runs it.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any, Final

from tools.fixtures.schemas import Schemas, read_files
from tools.law.dialects import PATTERN as DIALECTS
from tools.law.dialects import markers, texts

PATTERN: Final = "spec/v1/formats/*"
SCHEMA: Final = "urn:commoncall:v1:formats:format"
REASONING: Final = [{"open": {"tag": "think"}, "close": {"tag": "think"}}]

Document = Mapping[str, Any]


def format_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return what is wrong with the formats below ``root``, a line each."""
    files, problems = read_files(root, PATTERN)
    problems += schemas.misfits(SCHEMA, files)
    if problems:
        return problems
    dialects = {Path(path).stem: each for path, each in read_files(root, DIALECTS)[0].items()}
    formats = {Path(path).name.removesuffix(".json"): each for path, each in files.items()}
    for name, document in formats.items():
        problems += _names(name, document, dialects)
        problems += _markers(name, document, dialects)
    problems += _models(formats)
    return [f"spec/v1/formats: {problem}" for problem in problems]


def _names(name: str, document: Document, dialects: Mapping[str, Document]) -> Iterator[str]:
    """A format has the id that its file says, and dialects that there are and that go together."""
    if document["id"] != name:
        yield f"{name}: the id is {document['id']}"
    for one in document["dialects"]:
        if one not in dialects:
            yield f"{name}: there is no dialect {one}"
        for other in dialects.get(one, {}).get("excludes", ()):
            if other in document["dialects"]:
                yield f"{name}: {one} excludes {other}"


def _markers(name: str, document: Document, dialects: Mapping[str, Document]) -> Iterator[str]:
    """No marker of the frame begins another marker, and none begins it, but for tokens with which
    a header of messages begins: the longest counts, and the header before it.
    """
    frame = [*document.get("tokens", ())]
    for each in document.get("reasoning", REASONING):
        frame += texts(each["open"])
    known = [dialects[one] for one in document["dialects"] if one in dialects]
    own = [text for each in known for text in markers(each)]
    openers = (each["opener"] or {} for each in known)
    headers = [opener["text"] for opener in openers if "messages" in opener]
    for one, other in permutations([*frame, *dict.fromkeys(own)], 2):
        is_known = any(header.startswith(one) for header in headers)
        if other.startswith(one) and (one in frame or other in frame) and not is_known:
            yield f"{name}: {one} begins {other}"


def _models(formats: Mapping[str, Document]) -> Iterator[str]:
    """A pattern of models stands in one format."""
    seen: dict[str, str] = {}
    for name, document in formats.items():
        for pattern in document["models"]:
            other = seen.setdefault(pattern.lower(), name)
            if other != name:
                yield f"{name}: {pattern} stands in {other} too"
