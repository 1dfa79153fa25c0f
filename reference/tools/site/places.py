"""Where the site shows what is in the repository, and what the engine is told about a page there.

The law is found on the pages of the contracts. Pages that repeat it, and cases, are left out of the
search: they are most of the words, and answer no question. Ids lead to their pages by themselves
(``assets/site.js``). ``queries.json`` holds what readers ask, and what they must find.
"""

import re
from pathlib import Path

GUIDE = "fixtures/v1/README.md"
PLACES = (
    (r"spec", "index.md"),
    (r"spec/v1/(profiles|dialects|formats)", r"\1/index.md"),
    (r"spec/v1/(profiles|dialects|formats)/(.+)\.json", r"\1/\2.md"),
    (r"spec/(.+\.(?:md|json|py|mjs|yml|svg))", r"\1"),
    (r"(adr|fixtures|schemas)", r"\1/index.md"),
    (r"schemas/v1", "schemas/index.md"),
    (r"(adr/[0-9]{4}-.+\.md)", r"\1"),
    (r"(schemas/.+)\.schema\.json", r"\1.md"),
    (r"fixtures/v1", GUIDE),
    (r"(fixtures/v1/.+/.+)\.json", r"\1.md"),
    (r"(fixtures/v1/[^/]+)", r"\1"),
    (r"CHANGELOG\.md", "changelog.md"),
    (r"reference/tools/site/prose/(.+\.md)", r"\1"),
    # What the repository says there of getting it.
    (r"README\.md", "download.md"),
    (r"CITATION\.cff", "download.md#cite"),
)
"""The form of a path in the repository, and its place; the first that fits counts."""

LEAVE_OUT = "search: {exclude: true}"
BOOST = "search: {{boost: {}}}".format
TABLES = (
    ("search", r"fixtures/v1/README", ""),
    (
        "search",
        r"(fixtures/v1|r|d|schemas/v1/formats)/|(coverage|speed|use/tour)\.md",
        LEAVE_OUT,
    ),
    ("search", r"adr/index", LEAVE_OUT),
    # Of two that are as good, the list of codes, then payload.
    ("search", r"v1/codes", BOOST(3.12)),
    ("search", r"v1/payload", BOOST(3.1)),
    # Its title would stand before each definition.
    ("search", r"v1/(dialects|interfaces)|formats/index", BOOST(1.5)),
    ("search", r"v1/", BOOST(3)),
    # What somebody asks who has lost a call, or was refused: one message may be all that is known.
    ("search", r"use/(errors|no_calls)", BOOST(6)),
    ("search", r"(use|rules|glossary)", BOOST(2.5)),
    ("search", r"o/index", LEAVE_OUT),
    ("search", r"o/", BOOST(1.2)),
    ("search", r"profiles/", BOOST(0.5)),
    ("search", r"schemas/", BOOST(0.6)),
    ("search", r"formats/|dialects/|adr/|changelog", BOOST(0.2)),
    ("search", r"systems/(?!index)", BOOST(0.13)),
    ("search", r"incidents/(?!index)", BOOST(0.1)),
    # What readers call a page that does not say so.
    ("tags", r"adapter", "tags: [port, porting]"),
    ("tags", r"implement\.md", "tags: [port, porting, go, golang, java, ruby]"),
    ("tags", r"use/install", "tags: [install, pip, getting, started]"),
    ("tags", r"use/javascript", "tags: [npm, typescript]"),
    ("tags", r"use/python", "tags: [streaming]"),
    ("tags", r"migrate", "tags: [breaking, changed, upgrade]"),
    ("tags", r"rules", "tags: [privacy, security]"),
    ("tags", r"schemas/index", "tags: [json]"),
    ("tags", r"v1/extraction", "tags: [parse]"),
    ("tags", r"versioning", "tags: [license]"),
    ("tags", r"profiles/vllm\.md", "tags: [vllm]"),  # and not one of its kinds
    ("tags", r"formats/qwen3-coder\.md", "tags: [qwen, qwen3_coder]"),
    ("tags", r"formats/qwen3", "tags: [qwen]"),
    # What stands in these takes the room of the contents.
    ("hide", r"([rd]|fixtures/v1)/(?!index|README)|try/", "hide: [toc]"),
    (
        "hide",
        r"profiles/|incidents/|(dialects|formats)/index|systems/(index|scenarios)|v1/codes",
        "hide: [toc]",
    ),
)
"""What is told, the form of a path's beginning, and the line; the first that fits counts."""


def locate(root: Path, path: str) -> str | None:
    """Return where the site shows a file or a folder; None when it does not.

    Raises:
        LookupError: there is no such path in the repository.
    """
    if not (root / path).exists():
        raise LookupError(path)
    found = ((re.fullmatch(form, path), place) for form, place in PLACES)
    return next((match.expand(place) for match, place in found if match), None)


def raw_files(root: Path) -> dict[str, str | bytes]:
    """Return what is served as it is, by its path on the site."""
    served = [(root / "fixtures/v1", "fixtures/v1"), (root / "schemas", "schemas")]
    served += [(root / "spec", ""), (Path(__file__).parent / "assets", "assets")]
    return {
        (Path(place) / file.relative_to(folder)).as_posix(): file.read_bytes()
        for folder, place in served
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".md"
    }


def front_matter(path: str, own: str = "") -> str:
    """Return the front matter of a page, with the lines that it has of its ``own``."""
    told: dict[str, str] = {}
    for what, form, line in TABLES:
        if re.match(form, path):
            told.setdefault(what, f"{line}\n" if line else "")
    lines = own + "".join(told.values())
    return f"---\n{lines}---\n\n" if lines else ""
