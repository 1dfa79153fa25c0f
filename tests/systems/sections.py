"""The tags that a model writes around its calls, and that cases of a dialect may leave out."""

from __future__ import annotations

import json
from pathlib import Path

DIALECTS = Path(__file__).parents[2] / "spec" / "v1" / "dialects"
MORE = {
    "function-parameters": ("<tool_call>\n", "\n</tool_call>"),
}
"""The tags that have a meaning of their own, and so are no part of the dialect."""


class Section:
    """Puts the tags around the calls of texts that have none, and takes them out of content."""

    def __init__(self, dialect: str) -> None:
        """Read the dialect; one that has no such tags leaves each text as it is."""
        rules = json.loads((DIALECTS / f"{dialect}.json").read_text("utf-8"))
        section, closer = rules.get("section"), rules.get("closer") or {}
        tags = (section["opener"]["text"], section["closer"]["text"]) if section else ("", "")
        self.begin, self.end = MORE.get(dialect, tags)
        self.first = (rules.get("opener") or {}).get("text", "")
        self.last = closer["text"] if "text" in closer else f"</{closer.get('tag')}>"

    def around(self, text: str) -> str:
        """Put the tags before the first call and behind the last, where neither stands there."""
        at, last = text.find(self.first), text.rfind(self.last)
        if not self.begin or at < 0 or self.begin.strip() in text or self.end.strip() in text:
            return text
        text = text[:at] + self.begin + text[at:]
        if last < at:
            return text
        last += len(self.begin + self.last)
        return text[:last] + self.end + text[last:]

    def out_of(self, content: str | None, text: str) -> str | None:
        """Take tags that the text did not have out of what is left of it."""
        if not content or not self.begin or self.begin.strip() in text:
            return content
        return content.replace(self.begin.strip(), "").replace(self.end.strip(), "")
