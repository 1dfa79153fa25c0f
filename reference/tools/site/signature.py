"""To which suite the site belongs: one line for every page, and the text of a contract alone.

Version and digest are those of ``fixtures/v1``, so a reader can tell whether this text is the one
that the cases at hand are about.
"""

from __future__ import annotations

import json
from pathlib import Path

from commoncall.kit import data
from tools.site.markdown import SiteError
from tools.spec_text import CODES_PAGE, Page, Spec

FIXTURES = "fixtures/v1"


def suite(root: Path) -> tuple[str, str]:
    """Return the version of the suite and its digest.

    Raises:
        SiteError: the manifest or the sums are not built, or have no version.
    """
    try:
        version = json.loads((root / FIXTURES / "manifest.json").read_bytes())["version"]
        digest = data.digest_of((root / FIXTURES / data.SUMS).read_bytes())
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SiteError(f"{FIXTURES}: not a built suite ({error!r})") from None
    return str(version), digest


def suite_line(root: Path) -> str:
    """Return ``This text belongs to suite 0.1.0 sha256:...``, as Markdown."""
    version, digest = suite(root)
    return f"This text belongs to suite {version} `{digest}`"


def signed(text: str, line: str) -> str:
    """Return a page with the line at its foot."""
    return f"{text.rstrip()}\n\n{line}\n{{: .cc-suite data-search-exclude='' }}\n"


def texts(spec: Spec, line: str) -> dict[str, str]:
    """Return each page of law as plain Markdown, by its address: the source, and the line."""
    return {
        text_of(path): f"{page.text.rstrip()}\n\n{line}\n"
        for path, page in spec.pages.items()
        if is_law(page)
    }


def is_law(page: Page) -> bool:
    """Tell whether a page holds requirements, definitions or codes."""
    return bool(page.requirements or page.definitions) or page.path == CODES_PAGE


def text_of(path: str) -> str:
    """Return the address of a page's text: ``v1/event.txt``, which browsers show as it is."""
    return path.removesuffix(".md") + ".txt"


def with_text(path: str, text: str) -> str:
    """Return a page with a link to its text alone under the title."""
    title, _, rest = text.partition("\n")
    link = text_of(path).rpartition("/")[2]
    note = f"[The text alone]({link}), as plain Markdown and without cases\n{{: .cc-facts }}"
    return f"{title}\n\n{note}\n{rest}"
