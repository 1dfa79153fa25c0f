"""An extension of Python-Markdown that halves its time and changes no page.

Both of its readers of raw HTML are written in Python, and cases are most of the site: a block that
is whole is not read tag by tag. It stands between blank lines, each of its tags is closed, and none
has Markdown in it. And each text is searched for each pattern: those of which a page has no mark
are left out.
"""

import re

from markdown import Markdown
from markdown.extensions import Extension

_BLOCK = re.compile(r"(?:\A|(?<=\n\n))<(?:details|div|nav|p|ul)\b.*(?:\n.+)*>(?=\n\n|\Z)")
_ID = re.compile(r'<[a-z][^<>]*\s(id="[^"]*")')
_BARE = re.compile(r"(?<=\x03)(?:<i id=[^>]*>)+")
_MARKS = {
    "autolink": "://",
    "automail": "@",
    "backtick": "`",
    "escape": "\\",
    "image_link": "![",
    "image_reference": "![",
    "linebreak": "  \n",
    "short_image_ref": "![",
}
"""What stands in each text that has such a thing."""


class _Quick:
    """Puts whole blocks away as they are; their ids stay behind for who checks links."""

    def __init__(self, md: Markdown) -> None:
        self.md = md

    def run(self, lines: list[str]) -> list[str]:
        text = "\n".join(lines)
        known = self.md.inlinePatterns
        unused = {known[name] for name, mark in _MARKS.items() if mark not in text}
        self.md.treeprocessors["inline"].inlinePatterns = [x for x in known if x not in unused]
        return _BLOCK.sub(self._kept, text).split("\n")

    def _kept(self, match: re.Match[str]) -> str:
        block = match[0]
        if "markdown=" in block or block.count("<") != 2 * block.count("</"):
            return block
        ids = "".join(f"<i {each}>" for each in _ID.findall(block))
        return f"{self.md.htmlStash.store(block)}{ids}"


class _Bare:
    """Takes the ids away again."""

    def run(self, lines: list[str]) -> list[str]:
        return [_BARE.sub("", line) for line in lines]


def _extend(md: Markdown) -> None:
    # Behind code (25), before and behind who looks for ids (21), before who reads HTML (20).
    md.preprocessors.register(_Quick(md), "quick", 22)
    md.preprocessors.register(_Bare(), "quick_bare", 20.5)


def makeExtension() -> Extension:  # the name by which Python-Markdown asks for it
    """Return the extension."""
    extension = Extension()
    extension.extendMarkdown = _extend
    return extension
