"""The playground: a page, the JavaScript package that it runs, and what it shows of the text.

``assets/try.mjs`` is the page's script, ``assets/try_worker.mjs`` asks the package.
"""

from __future__ import annotations

import json

from tools.site.book import Book
from tools.site.download import npm_package

PAGE = "try/index.md"

TEXT = """---
template: lean.html
---

# Playground

Every operation of the contracts, run in this page by the JavaScript package: nothing that you write
leaves your browser. The address holds what you see, so a link is a bug report.

<noscript><p>The playground needs JavaScript.</p></noscript>

<div id="cc-try"></div>

<script type="module" src="../assets/try.mjs"></script>
"""


def pages(book: Book) -> dict[str, str | bytes]:
    """Return the page, the modules of the package, and its data, by path on the site."""
    files = npm_package(book.root)[1].items()
    modules: dict[str, str | bytes] = {
        f"try/commoncall/{path}": each for path, each in files if path.endswith(".mjs")
    }
    profiles = {one.path.stem: one.document["flags"] for one in book.profiles}
    data = {
        "codes": _codes(book),
        "formats": sorted(book.formats),
        "profiles": {"strict": {}, **profiles},
    }
    return {PAGE: TEXT, "try/data.json": json.dumps(data), **modules}


def _codes(book: Book) -> dict[str, dict[str, object]]:
    """Return what each code means, and the requirements that speak of it."""
    manifest = json.loads((book.root / "fixtures/v1/manifest.json").read_bytes())
    lists = manifest.get("codes", {}).values()
    listed = {row["code"]: row["meaning"] for rows in lists for row in rows}
    sections = {id: book.sections[id] for id in book.spec.requirements}
    texts = {id: section.quote + section.prose for id, section in sections.items()}
    return {
        name: {
            "meaning": meaning,
            "requirements": [id for id, text in texts.items() if f"`{name}`" in text],
        }
        for name, meaning in sorted(listed.items())
    }
