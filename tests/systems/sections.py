"""What servers see of a text that cases write otherwise: tags around calls, the last token."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.systems.adapter import NotOffered

SPEC: Final = Path(__file__).parents[2] / "spec" / "v1"
MORE: Final = {
    "function-parameters": ("<tool_call>\n", "\n</tool_call>"),
    "steptml-invoke": (
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>",
        "<｜tool_call_end｜><｜tool_calls_end｜>",
    ),
}
"""Tags around each call, which are no part of the dialect: they have a meaning of their own, or are
tokens of the format.
"""

BEGUN: Final = re.compile(
    r"<steptml:|<function=[^<>]*(?:$|>\s*(?:$|<(?:parameter=|/function>|[a-z/]*$)))", re.ASCII
)
"""A call in such a dialect, or the begin of one where the text ends. An opener that is only
mentioned gets no tags, and its text is not asked.
"""


def before_stop(given: Mapping[str, Any]) -> str:
    """Return the text without the token of its format at its end: there a server stops.

    Raises:
        NotOffered: there is a token before the end, which ends the text or is no part of it.
    """
    text = str(given["text"])
    path = SPEC / "formats" / f"{given.get('format')}.json"
    tokens = json.loads(path.read_text("utf-8")).get("tokens", ()) if path.exists() else ()
    around = "".join(map("".join, MORE.values()))
    tokens = [token for token in tokens if token not in around]
    last: str = next((token for token in tokens if text.endswith(token)), "")
    text = text.removesuffix(last)
    if any(token in text for token in tokens):
        raise NotOffered("a token amid the text, where the server has stopped")
    return text


class Section:
    """Puts the tags around the calls of texts that have none, and takes them out of content."""

    def __init__(self, dialect: str) -> None:
        """Read the dialect; one that has no such tags leaves each text as it is."""
        rules = json.loads((SPEC / "dialects" / f"{dialect}.json").read_text("utf-8"))
        section, closer = rules.get("section"), rules.get("closer") or {}
        tags = (section["opener"]["text"], section["closer"]["text"]) if section else ("", "")
        self.each = dialect in MORE
        self.begin: str
        self.end: str
        self.begin, self.end = MORE.get(dialect, tags)
        whole = [self.begin.strip(), self.end.strip()]
        self.tags: list[str] = re.findall("<[^<>]+>", "".join(whole)) if self.each else whole
        self.first: str = (rules.get("opener") or {}).get("text", "")
        self.last: str = closer["text"] if "text" in closer else f"</{closer.get('tag')}>"

    def around(self, text: str) -> str:
        """Put the tags before the first call and behind the last, where neither stands there.

        Raises:
            NotOffered: there is a call behind a call, and each would need tags of its own; or the
                opener is one of a text about calls, around which no model puts tags.
        """
        at, last = text.find(self.first), text.rfind(self.last)
        if not self.begin or at < 0 or any(tag in text for tag in self.tags):
            return text
        if self.each and not BEGUN.match(text, at):
            raise NotOffered("an opener that begins no call has no tags around it")
        if self.each and text.find(self.first, text.find(self.last, at)) > at:
            raise NotOffered("several calls without the tags around each")
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
