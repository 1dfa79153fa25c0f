"""The linter of the descriptors of the dialects, ``spec/v1/dialects/*.json``.

They have the form of their schema, and keep rules that are beyond a schema, chiefly about markers
that begin one another. ``lint.py`` runs it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from commoncall.extraction.dialects import HEADER_LENGTH
from commoncall.extraction.payload_scanner import PayloadScanner
from tools.fixtures.schemas import Schemas, read_files

PATTERN: Final = "spec/v1/dialects/*"
SCHEMA: Final = "urn:commoncall:v1:formats:dialect"
REASONING: Final = ("<think", "</think")
LONGEST_WAIT: Final = 300
"""So many characters of an opener with a header a stream may hold back (EXT-115)."""

Descriptor = Mapping[str, Any]


def dialect_problems(root: Path, schemas: Schemas) -> list[str]:
    """Return what is wrong with the descriptors below ``root``, a line each."""
    files, problems = read_files(root, PATTERN)
    problems += schemas.misfits(SCHEMA, files)
    if problems:
        return problems
    descriptors = {Path(path).stem: descriptor for path, descriptor in files.items()}
    problems += _markers_of_two(descriptors)
    for name, descriptor in descriptors.items():
        problems += _names(name, descriptor, descriptors)
        problems += _markers_of_one(name, descriptor)
    return [f"spec/v1/dialects: {problem}" for problem in problems]


def _names(
    name: str, descriptor: Descriptor, descriptors: Mapping[str, Descriptor]
) -> Iterator[str]:
    """A dialect has the id that its file says, and excludes others that there are."""
    if descriptor["id"] != name:
        yield f"{name}: the id is {descriptor['id']}"
    for other in descriptor.get("excludes", ()):
        if other not in descriptors:
            yield f"{name}: there is no dialect {other} to exclude"


def _markers_of_one(name: str, descriptor: Descriptor) -> Iterator[str]:
    """No marker of a dialect begins another of its own, is the reasoning tag, or is the begin of an
    object or array. No opener is longer than what may wait in a stream.
    """
    own = markers(descriptor)
    for text in own:
        if text.startswith(REASONING):
            yield f"{name}: {text} is the reasoning tag"
        if any(other != text and other.startswith(text) for other in own):
            yield f"{name}: {text} begins another marker of its own"
        if text.startswith(("{", "[")) and _is_begin_of_json(text):
            yield f"{name}: {text} is the begin of a payload"
    opener = "".join(texts(descriptor["opener"]))
    end = (descriptor["opener"] or {}).get("end")
    if end and len(opener) + HEADER_LENGTH + len(end) > LONGEST_WAIT:
        yield f"{name}: the opener can be longer than the {LONGEST_WAIT} characters that may wait"


def _is_begin_of_json(text: str) -> bool:
    scanner = PayloadScanner()
    scanner.scan(text, 0)
    return scanner.error < 0


def _markers_of_two(descriptors: Mapping[str, Descriptor]) -> Iterator[str]:
    """Where two dialects can be active at once, no marker begins an opener of the other, they have
    no opener in common, and only one has messages. A tag ends in ``>``, so it never begins a longer
    one.
    """
    for name, descriptor in descriptors.items():
        for other, against in descriptors.items():
            if name == other or not descriptor["opener"] or not against["opener"]:
                continue
            excluded = other in descriptor.get("excludes", ())
            if excluded and name not in against.get("excludes", ()):
                yield f"{other}: does not exclude {name}, which excludes it"
            pairs = list(_openers_of_two(descriptor, against))
            have_messages = all("messages" in each["opener"] for each in (descriptor, against))
            if have_messages and not excluded:
                yield f"{name}: does not exclude {other}, which has messages, too"
            alike = have_messages or any(
                one.startswith(two) or two.startswith(one) for one, two in pairs
            )
            if excluded and not alike:
                yield f"{name}: excludes {other}, whose opener is another"
            if excluded:
                continue
            if name < other and any(own == theirs for own, theirs in pairs):
                yield f"{name}: has the opener of {other}"
            for text in markers(descriptor):
                for opener in texts(against["opener"]):
                    if text != opener and opener.startswith(text):
                        yield f"{name}: {text} begins {opener} of {other}"


def _openers_of_two(one: Descriptor, other: Descriptor) -> Iterator[tuple[str, str]]:
    """Return pairs of openers, of which that of a section is one at most."""
    (own,), (theirs,) = texts(one["opener"]), texts(other["opener"])
    yield own, theirs
    for section in texts(other["section"]["opener"]) if "section" in other else ():
        yield own, section
    for section in texts(one["section"]["opener"]) if "section" in one else ():
        yield section, theirs


def markers(descriptor: Descriptor) -> list[str]:
    """Return the fixed texts of all markers of a dialect."""
    section = descriptor.get("section") or {}
    parts = [descriptor["opener"], section.get("opener"), section.get("closer")]
    closer = texts(descriptor["closer"], slash="/") if descriptor["closer"] else []
    ends: list[str] = (descriptor["opener"] or {}).get("messages", {}).get("ends", closer)
    return [text for part in parts if part for text in texts(part)] + ends


def texts(marker: Mapping[str, Any] | None, slash: str = "") -> list[str]:
    """Return the fixed text of a marker, if there is one."""
    if marker is None:
        return []
    return [f"<{slash}{marker['tag']}>"] if "tag" in marker else [marker["text"]]
