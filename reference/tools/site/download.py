"""The page of what can be taken away: the bundle, the package, the index, and how to cite them.

The bundle is made here, as ``tools.bundle`` makes it. The wheel is one that the session ``docs``
builds before this: where there is none, the page says which command makes it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import yaml

from commoncall.kit.data import SUMS
from tools import bundle
from tools.site.markdown import SiteError, escape

PAGE: Final = "download.md"
FOLDER: Final = "download"
WHEELS: Final = "build/wheel"
CITATION: Final = "CITATION.cff"
INDEX: Final = "fixtures/v1/requirements.json"

TEXT: Final = """# Download

Version {version}. {files}

{list}

[`{sums}`]({folder}/{sums}) holds these digests; in a folder with the files `sha256sum --check
--ignore-missing {sums}` compares them. The suite has one digest for all its files, at the foot of
each page: `commoncall verify` compares a copy with it.

## Use

The bundle is all that a port needs: cases, schemas, sets, licences. It is what `commoncall export`
writes, and [the port guide](vendoring.md) says what to do with it.

```sh
tar xzf {name}.tar.gz && cd {name} && sha256sum --check --quiet {sums}
```

{wheel}

## Cite

One requirement: its id, the version, and the address of its page, for example `commoncall:PAY-003,
CommonCall {version}`. The page of a requirement has a button that copies this.

The whole, as BibTeX:

```bibtex
{bibtex}
```

[`{citation}`]({citation}) says the same for tools that read the Citation File Format.
"""
WITH_WHEEL: Final = """The wheel holds the reference, the conformance kit and the fixtures:

```sh
pip install ./{wheel}
commoncall conformance -- ./my-adapter
```"""
WITHOUT_WHEEL: Final = """The Python package is made from a checkout: `python3 noxfile.py -s build`
builds wheel and sdist in `dist`, twice, and compares the bytes."""


def files(root: Path, version: str, digest: str) -> dict[str, str | bytes]:
    """Return the page and what it offers, by path on the site; ``digest`` is that of the suite.

    Raises:
        SiteError: a part of the bundle or the citation is missing or out of form.
    """
    name = f"commoncall-fixtures-{version}"
    wheel = root / WHEELS / f"commoncall-{version}-py3-none-any.whl"
    try:
        archive = bundle.tar_gz(name, bundle.contents(root))
        index = (root / INDEX).read_bytes()
        cited = (root / CITATION).read_text(encoding="utf-8")
        reference = bibtex(cited, version, digest)
    except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError) as error:
        raise SiteError(f"no bundle or citation can be made ({error!r})") from None
    offered = {f"{name}.tar.gz": archive}
    if wheel.exists():
        offered[wheel.name] = wheel.read_bytes()
    rows = [
        *[_row(f"{FOLDER}/{each}", content) for each, content in offered.items()],
        _row(INDEX, index),
    ]
    sums = bundle.sums({**offered, Path(INDEX).name: index})
    what = "The bundle for ports, the Python package and the index of the requirements."
    page = TEXT.format(
        version=escape(version),
        files=what if wheel.exists() else what.replace(", the Python package", ""),
        list="\n".join(rows),
        sums=SUMS,
        folder=FOLDER,
        name=name,
        wheel=WITH_WHEEL.format(wheel=wheel.name) if wheel.exists() else WITHOUT_WHEEL,
        bibtex=reference,
        citation=CITATION,
    )
    raw = {f"{FOLDER}/{each}": content for each, content in offered.items()}
    return {PAGE: page, **raw, f"{FOLDER}/{SUMS}": sums, CITATION: cited}


def bibtex(citation: str, version: str, digest: str) -> str:
    """Return the entry for a ``CITATION.cff``. It says the version and the digest of the suite."""
    data = yaml.safe_load(citation)
    authors = " and ".join(f"{{{author['name']}}}" for author in data["authors"])
    return "\n".join(
        [
            "@misc{commoncall,",
            f"  author = {{{authors}}},",
            f"  title = {{{{{data['title']}}}}},",
            f"  note = {{Version {version}, suite {digest}}}",
            "}",
        ]
    )


def _row(path: str, content: bytes) -> str:
    name, digest = Path(path).name, hashlib.sha256(content).hexdigest()
    return f"- [{name}]({path}), {len(content) / 1000:,.0f} kB<br>`{digest}`"
