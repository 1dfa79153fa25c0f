"""The decision records as data: ``adr/NNNN-*.md``, front matter and text. The form is MADR 4."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_TITLE = re.compile(r"# +(?:(?:ADR[- ])?[0-9]{4}[.:]? +)?(.+?) *(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Adr:
    """One decision record: ``front`` is its front matter as text, ``body`` what follows that."""

    id: str
    path: str
    title: str
    front: Mapping[str, str]
    body: str


def read_adrs(root: Path) -> Iterator[Adr]:
    """Read the records below ``root`` in order.

    Raises:
        ValueError: front matter that is no mapping, or no title.
    """
    for file in sorted((root / "adr").glob("[0-9][0-9][0-9][0-9]-*.md")):
        path, text = f"adr/{file.name}", file.read_text(encoding="utf-8")
        front, body = _front_matter(path, text), _FRONT.sub("", text).lstrip("\n")
        if (title := _TITLE.match(body)) is None:
            raise ValueError(f"{path}: no title")
        yield Adr(f"ADR-{file.name[:4]}", path, title[1], front, body)


def _front_matter(path: str, text: str) -> dict[str, str]:
    match = _FRONT.match(text)
    try:
        # Every scalar stays the text that the author wrote, dates too.
        data = yaml.load(match[1], Loader=yaml.BaseLoader) if match else {}
        return {
            name: each if isinstance(each, str) else ", ".join(each) for name, each in data.items()
        }
    except (yaml.YAMLError, AttributeError, TypeError):
        raise ValueError(f"{path}: the front matter is no YAML, or no mapping") from None
