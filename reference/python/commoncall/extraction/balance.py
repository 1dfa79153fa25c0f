"""Values in which a tag of a parameter lacks its partner (definition "unbalanced value")."""

import re
from functools import cache
from typing import Final

from commoncall.extraction.dialects import Dialect
from commoncall.json_text import JSON_SPACE, SPACE_RUN

_CLOSING = re.compile(r"</([^<>]*)>")


class _Tags:
    """The tags of the parameters of a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.end: Final = dialect.value_end
        kinds = {"name": dialect.name_begin, "behind": dialect.name_end, "value": dialect.value_begin}
        opening = {kind: tag for kind, tag in kinds.items() if kind == "name" or tag[:1] == "<"}
        self.others: Final = tuple(opening.values())
        opening.pop("behind", None)
        closing = _CLOSING.fullmatch(self.end)
        self.words: Final = ("parameter", closing[1]) if closing else ("parameter",)
        if closing:
            opening["like"] = f"<{closing[1]}"
        self.opening: Final = tuple(opening)
        each = "|".join(f"(?P<{kind}>{re.escape(tag)})" for kind, tag in opening.items())
        self.each: Final = re.compile(f"{each}|{re.escape(self.end)}")


_tags_of = cache(_Tags)


def is_unbalanced(name: str, text: str, dialect: Dialect) -> bool:
    """Tell whether the text of a parameter is an unbalanced value."""
    if not dialect.value_end:
        return False
    tags, value = _tags_of(dialect), text.strip(JSON_SPACE)
    if value.startswith((*tags.others, tags.end)) or value.endswith(tags.others):
        return True
    is_named = value.startswith(f"</{name}>") or value.endswith(f"</{name}>")
    if is_named and f"<{name}" not in value:
        return True
    for tag in (_CLOSING.match(value), _CLOSING.fullmatch(value, max(0, value.rfind("<")))):
        words = [word for word in tags.words if tag and tag[1].startswith(word)]
        if any(f"<{word}" not in value for word in words):
            return True
    opened = dict.fromkeys(tags.opening, 0)
    for tag in tags.each.finditer(value):
        if tag.lastgroup:
            opened[tag.lastgroup] += 1
            continue
        at = SPACE_RUN.match(value, tag.end()).end()  # type: ignore[union-attr]
        if at == len(value) and not opened.get("like"):
            return True
        if value[at : at + 1] == "<" and value[at + 1 : at + 2] != "/" and not any(opened.values()):
            return True
        opened = {kind: max(0, count - 1) for kind, count in opened.items()}
    opened.pop("like", None)
    return any(opened.values())
