"""The page of what can be taken away: the bundle, the packages, the index, and how to cite them.

The bundle and the npm package are made here, by ``tools.release.bundle``. The wheels are
those that the session ``docs`` builds before this.
"""

import hashlib
from pathlib import Path

import yaml

from tools.release import bundle
from tools.site.book import Book, Pages, written
from tools.site.markdown import in_form

PAGE = "download.md"
WHEELS = "build/wheel"
CITATION = "CITATION.cff"
INDEX = "fixtures/v1/requirements.json"
SUMS = "download/SHA256SUMS"


def pages(book: Book) -> Pages:
    """Return the page and what it offers."""
    root, name = book.root, f"commoncall-fixtures-{book.version}"
    wheel, kit = (
        f"{one}-{book.version}-py3-none-any.whl" for one in ("commoncall", "commoncall_kit")
    )
    with in_form("no bundle, package or citation can be made; nox -s docs builds the wheels"):
        npm, package = bundle.npm_package(root)
        offered = {
            f"download/{name}.tar.gz": bundle.tar_gz(name, bundle.contents(root)),
            **{f"download/{one}": (root / WHEELS / one).read_bytes() for one in (wheel, kit)},
            f"download/{npm}": bundle.tar_gz("package", package),
        }
        listed = {**offered, INDEX: (root / INDEX).read_bytes()}
        rows = (
            f"- [{Path(path).name}]({path}), {len(content) / 1000:,.0f} kB"
            f"<br>`{hashlib.sha256(content).hexdigest()}`"
            for path, content in listed.items()
        )
        citation = (root / CITATION).read_text(encoding="utf-8")
        cited = yaml.safe_load(citation)
        one = next(iter(book.spec.requirements.values()))
        page = written(
            PAGE,
            version=book.version,
            digest=book.digest,
            one=book.citation(one),
            list="\n".join(rows),
            name=name,
            wheel=wheel,
            kit=kit,
            npm=npm,
            authors=" and ".join(f"{{{author['name']}}}" for author in cited["authors"]),
            title=cited["title"],
        )
    sums = bundle.sums({Path(path).name: content for path, content in listed.items()})
    return {PAGE: page, **offered, SUMS: sums, CITATION: citation}
