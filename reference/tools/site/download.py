"""The page of what can be taken away: the bundle, the packages, the index, and how to cite them.

The bundle and the npm package are made here, by ``tools.release.bundle``. The wheel is one that the
session ``docs`` builds before this.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import yaml

from tools.release import bundle
from tools.site.book import Book, Pages
from tools.site.markdown import in_form

PAGE = "download.md"
WHEELS = "build/wheel"
CITATION = "CITATION.cff"
INDEX = "fixtures/v1/requirements.json"
SUMS = "download/SHA256SUMS"

TEXT = """# Download

Version {version}. The bundle for ports, the packages for Python and JavaScript, and the index of
the requirements.

{list}

[`SHA256SUMS`](download/SHA256SUMS) holds these digests; in a folder with the files
`sha256sum --check --ignore-missing SHA256SUMS` compares them. The suite has one digest for all its
files, at the foot of each page: `commoncall verify` compares a copy with it.

## Use

The bundle is all that a port needs: cases, schemas, sets, licences. It is what `commoncall export`
writes, and [the port guide](vendoring.md) says what to do with it.

```sh
tar xzf {name}.tar.gz && cd {name} && sha256sum --check --quiet SHA256SUMS
```

The wheel holds the reference, the conformance kit and the fixtures:

```sh
pip install ./{wheel}
commoncall conformance -- ./my-adapter
```

The npm package holds [the operations](use/javascript.md), with types and without dependencies:

```sh
npm install ./{npm}
```

## Cite

One requirement: its id, the version, and the address of its page, for example `commoncall:PAY-003,
CommonCall {version}`. The page of a requirement has a button that copies this.

The whole, as BibTeX:

```bibtex
@misc{{commoncall,
  author = {{{authors}}},
  title = {{{{{title}}}}},
  note = {{Version {version}, suite {digest}}}
}}
```

[`CITATION.cff`](CITATION.cff) says the same for tools that read the Citation File Format.
"""


def pages(book: Book) -> Pages:
    """Return the page and what it offers."""
    root, name = book.root, f"commoncall-fixtures-{book.version}"
    wheel = f"commoncall-{book.version}-py3-none-any.whl"
    with in_form("no bundle, package or citation can be made; nox -s docs builds the wheel"):
        npm, package = bundle.npm_package(root)
        offered = {
            f"download/{name}.tar.gz": bundle.tar_gz(name, bundle.contents(root)),
            f"download/{wheel}": (root / WHEELS / wheel).read_bytes(),
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
        page = TEXT.format(
            version=book.version,
            digest=book.digest,
            list="\n".join(rows),
            name=name,
            wheel=wheel,
            npm=npm,
            authors=" and ".join(f"{{{author['name']}}}" for author in cited["authors"]),
            title=cited["title"],
        )
    sums = bundle.sums({Path(path).name: content for path, content in listed.items()})
    return {PAGE: page, **offered, SUMS: sums, CITATION: citation}
