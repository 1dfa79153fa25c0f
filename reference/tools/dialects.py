"""The descriptors of the dialects: are they in form, and does the reference hold the same?

`python -m tools.dialects` checks `spec/v1/dialects/*.json` against their schema and the rules that
are beyond a schema, and that the module which the reference reads is built from them; `--write`
builds it. One rule is one function.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from commoncall.extraction.payload_scanner import PayloadScanner, State
from tools.schemas import read_schemas

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = "spec/v1/dialects"
MODULE: Final = "reference/src/commoncall/dialect_data.py"
SCHEMA: Final = "urn:commoncall:v1:formats:dialect"
REASONING: Final = ("<think", "</think")

HEAD: Final = '''"""Built from spec/v1/dialects by tools/dialects.py. Not edited by hand."""

from __future__ import annotations

from typing import Any, Final

DESCRIPTORS: Final[tuple[dict[str, Any], ...]] = (
'''

Descriptor = Mapping[str, Any]


def main(argv: Sequence[str] | None = None) -> int:
    """Check the descriptors; the exit status is 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.dialects", description="Check dialects.")
    parser.add_argument("--write", action="store_true", help="build the module of the reference")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    options = parser.parse_args(argv)
    descriptors = read(options.root)
    problems = list(problems_of(options.root, descriptors))
    path = options.root / MODULE
    built = module_of(list(descriptors.values())) if not problems else ""
    if options.write and built:
        path.write_text(built, encoding="utf-8")
    if built and (not path.is_file() or path.read_text("utf-8") != built):
        problems.append(f"{MODULE} is not up to date; run with --write")
    for problem in problems:
        print(f"dialects: {problem}", file=sys.stderr)
    print(f"dialects: {len(descriptors)} descriptors, {len(problems)} problems")
    return 1 if problems else 0


def read(root: Path) -> dict[str, Descriptor]:
    """Return the descriptors by file name, those of the defaults first."""
    files = sorted((root / FOLDER).glob("*.json"))
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in files}
    return dict(sorted(found.items(), key=lambda one: not one[1].get("default")))


def problems_of(root: Path, descriptors: Mapping[str, Descriptor]) -> Iterator[str]:
    """Give what is wrong with the descriptors, each as a line for people."""
    schemas = read_schemas(root)
    in_form = True
    for name, descriptor in descriptors.items():
        for place, message in schemas.errors(SCHEMA, descriptor):
            in_form = False
            yield f"{name}{place}: {message}"
    if not in_form:
        return
    for name, descriptor in descriptors.items():
        if descriptor["id"] != name:
            yield f"{name}: the id is {descriptor['id']}"
        for other in descriptor.get("excludes", ()):
            if other not in descriptors:
                yield f"{name}: there is no dialect {other} to exclude"
        yield from _markers_of_one(name, descriptor)
    yield from _markers_of_two(descriptors)


def _markers_of_one(name: str, descriptor: Descriptor) -> Iterator[str]:
    """No marker of a dialect begins another of its own, is the reasoning tag, is the begin of an
    object or array, or, as the closer of JSON, begins like one.
    """
    texts = _markers(descriptor)
    for text in texts:
        if text.startswith(REASONING):
            yield f"{name}: {text} is the reasoning tag"
        if any(other != text and other.startswith(text) for other in texts):
            yield f"{name}: {text} begins another marker of its own"
    opener = _texts(descriptor["opener"])[0]
    if opener.startswith(("{", "[")) and _is_begin_of_json(opener):
        yield f"{name}: {opener} is the begin of a payload"
    closer, scanner = descriptor["closer"], descriptor["payload"]["scanner"]
    if closer and scanner.startswith("json") and closer.get("text", "").startswith(("{", "[")):
        yield f"{name}: {closer['text']} begins like a value of its payload"


def _is_begin_of_json(text: str) -> bool:
    scanner = PayloadScanner()
    scanner.scan(text, 0)
    return scanner.state is not State.FAILED


def _markers_of_two(descriptors: Mapping[str, Descriptor]) -> Iterator[str]:
    """Where two dialects can be active at once, no marker begins an opener of the other, and they
    have no opener in common. A tag ends in ``>``, so it never begins a longer one.
    """
    for name, descriptor in descriptors.items():
        for other, against in descriptors.items():
            if name == other:
                continue
            excluded = other in descriptor.get("excludes", ())
            excluded = excluded or name in against.get("excludes", ())
            same = _texts(descriptor["opener"]) == _texts(against["opener"])
            if excluded and not same:
                yield f"{name}: excludes {other}, whose opener is another"
            if excluded:
                continue
            if same and name < other:
                yield f"{name}: has the opener of {other}"
            for text in _markers(descriptor):
                for opener in _texts(against["opener"]):
                    if text != opener and opener.startswith(text):
                        yield f"{name}: {text} begins {opener} of {other}"


def _markers(descriptor: Descriptor) -> list[str]:
    """Return the fixed texts of all markers of a dialect."""
    section = descriptor.get("section") or {}
    parts = [descriptor["opener"], section.get("opener"), section.get("closer")]
    closer = _texts(descriptor["closer"], slash="/") if descriptor["closer"] else []
    return [text for part in parts if part for text in _texts(part)] + closer


def _texts(marker: Mapping[str, Any], slash: str = "") -> list[str]:
    return [f"<{slash}{marker['tag']}>"] if "tag" in marker else [marker["text"]]


def module_of(descriptors: Sequence[Descriptor]) -> str:
    """Return the module with the descriptors in it."""
    return HEAD + "".join(f"    {_literal(one, 1)},\n" for one in descriptors) + ")\n"


def _literal(value: object, depth: int) -> str:
    """Return a JSON value as Python, every member on a line, as the formatter would leave it."""
    inner, outer = "    " * (depth + 1), "    " * depth
    if isinstance(value, dict) and value:
        lines = [
            f"{inner}{json.dumps(key)}: {_literal(item, depth + 1)},\n"
            for key, item in value.items()
        ]
        return "{\n" + "".join(lines) + outer + "}"
    if isinstance(value, list) and value:
        return (
            "[\n"
            + "".join(f"{inner}{_literal(item, depth + 1)},\n" for item in value)
            + outer
            + "]"
        )
    return json.dumps(value) if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    sys.exit(main())
