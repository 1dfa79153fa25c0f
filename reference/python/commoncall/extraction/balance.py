"""Values in which a tag of a parameter lacks its partner (definition "unbalanced value")."""

import re
from functools import cache
from typing import Final

from commoncall.extraction.dialects import Dialect, Kind
from commoncall.json_text import JSON_SPACE, SPACE

_CLOSING = re.compile(r"</([^<>]*)>")


class _Tags:
    """The tags of the parameters of a dialect (definition "tags of a parameter").

    Attributes:
        end: the `value_end`.
        others: all other tags that no value begins or ends with.
        words: which a misspelt closing tag begins with.
        each: finds a tag that opens, by its kind, or the end of a value.
        next: finds behind such an end that the next parameter begins there.
    """

    def __init__(self, dialect: Dialect) -> None:
        begin, behind = dialect.name_begin, dialect.name_end
        value, self.end = dialect.value_begin, dialect.value_end
        texts = [text.strip(JSON_SPACE) for way in dialect.ways for text in (way[0], way[2])]
        names = (begin, behind) if behind.startswith("<") else (begin,)
        # The end of another way says nothing: it can be any token.
        own = (text for text in texts if sum(each.endswith(text) for each in texts) == 1)
        self.others: Final = (*names, *filter(None, own))
        word = dialect.end_word
        self.words: Final = ("parameter", word) if word else ("parameter",)
        opening = {"name": begin, "value": value, "like": f"<{word}" if word else ""}
        kinds = [f"(?P<{kind}>{re.escape(tag)})" for kind, tag in opening.items() if tag]
        self.each: Final = re.compile("|".join([*kinds, re.escape(self.end)]))
        space = f"{SPACE}*"
        ways = "|".join((space if value else "") + re.escape(way[0]) for way in dialect.ways)
        alike = "|".join(map(re.escape, ("param", *self.words[1:])))
        self.next: Final = re.compile(
            f"{space}(?:<(?ai:{alike})|[A-Za-z0-9_.-]+[\"']?{re.escape(behind)}(?:{ways}))"
        )


_tags_of = cache(_Tags)


def is_unbalanced(name: str, text: str, kind: Kind, dialect: Dialect) -> bool:
    """Tell whether the text of a parameter is an unbalanced value, by the steps of D52."""
    if not dialect.value_end:
        return False
    tags, value = _tags_of(dialect), text.strip(JSON_SPACE)
    if value.startswith(tags.others) or value.endswith(tags.others):  # step 2
        return True
    # A value that has an end of its own can quote closing tags at its ends (end of D52).
    has_end = any(way[1] == kind and way[2] for way in dialect.ways)
    if not has_end and _has_closing_tag(name, value, tags):
        return True
    opened = {"name": 0, "value": 0, "like": 0}
    for tag in tags.each.finditer(value):
        if tag.lastgroup:
            opened[tag.lastgroup] += 1
            continue
        if tag.end() == len(value) and not opened["like"] and not has_end:  # step 2
            return True
        if not any(opened.values()) and tags.next.match(value, tag.end()):  # steps 3 and 4
            return True
        opened = {kind: max(0, count - 1) for kind, count in opened.items()}
    return opened["name"] + opened["value"] > 0  # step 1


def _has_closing_tag(name: str, value: str, tags: _Tags) -> bool:
    """Tell whether a value begins or ends with a closing tag that has no partner in it."""
    if value.startswith(tags.end):  # step 2
        return True
    is_named = value.startswith(f"</{name}>") or value.endswith(f"</{name}>")
    if is_named and f"<{name}" not in value:  # step 6
        return True
    for tag in (_CLOSING.match(value), _CLOSING.fullmatch(value, max(0, value.rfind("<")))):
        words = [word for word in tags.words if tag and tag[1].startswith(word)]
        if any(f"<{word}" not in value for word in words):  # step 5
            return True
    return False
