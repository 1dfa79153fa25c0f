"""An extension of Python-Markdown: raw HTML that is whole is not read tag by tag.

It changes no page, and the engine takes half of its time without it: cases are most of the site,
and both readers of raw HTML are written in Python. A block between blank lines is whole where each
of its tags is closed, and none has Markdown in it.
"""

import re

from markdown import Markdown
from markdown.extensions import Extension
from markdown.util import HtmlStash

_BLOCK = re.compile(r"(?:\A|(?<=\n\n))<(?:details|div|nav|p|ul)\b.*(?:\n.+)*>(?=\n\n|\Z)")
_ID = re.compile(r'<[a-z][^<>]*\s(id="[^"]*")')
_BARE = re.compile(r"(?<=\x03)(?:<i id=[^>]*>)+")


class _Whole:
    """Puts the blocks away as they are; their ids stay behind for who checks links."""

    def __init__(self, stash: HtmlStash) -> None:
        self.stash = stash

    def run(self, lines: list[str]) -> list[str]:
        return _BLOCK.sub(self._kept, "\n".join(lines)).split("\n")

    def _kept(self, match: re.Match[str]) -> str:
        block = match[0]
        if "markdown=" in block or block.count("<") != 2 * block.count("</"):
            return block
        ids = "".join(f"<i {each}>" for each in _ID.findall(block))
        return f"{self.stash.store(block)}{ids}"


class _Bare:
    """Takes the ids away again."""

    def run(self, lines: list[str]) -> list[str]:
        return [_BARE.sub("", line) for line in lines]


def _extend(md: Markdown) -> None:
    # Behind code (25), before and behind who looks for ids (21), before who reads HTML (20).
    md.preprocessors.register(_Whole(md.htmlStash), "whole_html", 22)
    md.preprocessors.register(_Bare(), "whole_html_bare", 20.5)


def makeExtension() -> Extension:  # the name by which Python-Markdown asks for it
    """Return the extension."""
    extension = Extension()
    extension.extendMarkdown = _extend
    return extension
