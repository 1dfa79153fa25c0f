"""JSON Schemas for people: a list, and a page with each."""

import re

from tools.fixtures.bundled import SIDES
from tools.fixtures.schemas import BUNDLED
from tools.site.book import Book, Content, Pages, written
from tools.site.markdown import code, escape, facts, link, prose, section, table
from tools.site.readable import blocks

PAGE = "schemas/index.md"
APART = {"$schema", "$id", "$defs", "title", "description"}
"""The members of a schema that its page shows in another place than the rest, or not at all."""


def pages(book: Book) -> Pages:
    """Return the page of each schema and their list."""
    made: dict[str, Content] = {}
    rows = []
    for name, schema in book.schemas.items():
        stem = "schemas/" + name.split(":", 2)[2].replace(":", "/")
        title = stem.split("/", 2)[2]
        built = {f"{side} alone": f"{BUNDLED}/{title}.{side}.schema.json" for side in SIDES}
        files = [link(f"{stem}.schema.json", "raw JSON")]
        files += [link(file, side) for side, file in built.items() if (book.root / file).exists()]
        parts = {name: value for name, value in schema.items() if name not in APART}
        made[f"{stem}.md"] = [
            f"# Schema {escape(title)}",
            facts(link(PAGE, "Schemas"), code(name), *files),
            prose(schema.get("description", "")),
            *([blocks([("JSON", parts, False)])] if parts else []),
            *(
                section(escape(each), blocks([("JSON", definition, False)]))
                for each, definition in schema.get("$defs", {}).items()
            ),
        ]
        says = re.split(r"(?<=\.)\s", schema.get("description") or schema.get("title", ""))[0]
        rows.append([link(f"{stem}.md", escape(title)), prose(says), ", ".join(files)])
    return {PAGE: written(PAGE, schemas=table(["schema", "says", "files"], rows)), **made}
