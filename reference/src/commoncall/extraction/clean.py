"""Clean blocks: strict JSON from the opener to the first own closer, as nearly all blocks are.

They are read at the speed of the host's decoder. What is found is what the careful parsers
would find, and where that is not certain nothing is found here: a closer in a string, a
repair, several values, a number out of range, great depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from commoncall.call_object import judge
from commoncall.extraction.call_value import Call, Found, Refused, found, with_note
from commoncall.extraction.dialects import Dialect, Tag
from commoncall.json_object import read_payload, scanner_of
from commoncall.json_text import JSON_SPACE, JsonTextError, holds_lone_surrogate, is_shallow

_SPACE = re.compile(r"[ \t\n\r]*")
_BEGIN = re.compile(r"[ \t\n\r]*[\[{]")


@dataclass(frozen=True, slots=True)
class CleanBlock:
    """How a clean block of a dialect looks.

    Attributes:
        closer: the closer as models write it.
        head: what stands before the arguments in the usual payload, which holds a name that can
            be sent and then the arguments, and no other member.
    """

    dialect: Dialect
    closer: str
    head: Callable[[str, int], re.Match[str] | None]

    def begins(self, text: str, begin: int) -> bool:
        """Tell whether a payload begins behind an opener."""
        return _BEGIN.match(text, begin) is not None

    def read_usual(self, text: str, head: re.Match[str], closer: int) -> Call | None:
        """Read the usual payload, given its head, up to the closer."""
        last = text.rfind("}", head.end(), closer)
        if last < 0 or text[last + 1 : closer].strip(JSON_SPACE):
            return None
        arguments_json = text[head.end() : last].rstrip(JSON_SPACE)
        if not is_shallow(arguments_json):
            return None
        try:
            arguments, end = scanner_of(arguments_json)(arguments_json, 0)
        except (ValueError, StopIteration):
            return None
        if end < len(arguments_json) or holds_lone_surrogate(arguments_json):
            return None
        assert isinstance(arguments, dict)
        return {
            "id": "",
            "name": head[1],
            "arguments": arguments,
            "arguments_json": arguments_json,
        }

    def read_any(self, text: str, begin: int, closer: int) -> list[Found] | None:
        """Read what stands from behind the opener up to the closer.

        Returns:
            the calls of the block, and codes of what is none; nothing where care is needed.
        """
        at = _SPACE.match(text, begin, closer).end()  # type: ignore[union-attr]
        if not text.startswith(
            ("{", "[") if self.dialect.payload.scanner == "json_values" else "{", at
        ):
            return None
        payload = text[at:closer]
        try:
            values = read_payload(payload)
        except JsonTextError:
            return None
        values_found: list[Found] = []
        for members in values:
            if members is None:
                values_found.append(Refused("not_a_call"))
            else:
                values_found += with_note(found(judge(payload, members, self.dialect.form)))
        return values_found


def clean_block(dialect: Dialect) -> CleanBlock | None:
    """Return how a clean block of a dialect looks, None where it has none that could be read so."""
    closer, payload = dialect.closer, dialect.payload
    if closer is None or payload.scanner not in ("json_values", "json_object"):
        return None
    space = r"[ \t\n\r]*+"
    head = ["", r"\{", f'"{re.escape(dialect.form.names[0])}"', ":", '"([A-Za-z0-9_-]{1,64})"', ","]
    head += [f'"{re.escape(dialect.form.arguments[0])}"', ":", r"(?=\{)"]
    return CleanBlock(
        dialect,
        f"</{closer.name}>" if isinstance(closer, Tag) else closer.text,
        re.compile(space.join(head)).match,
    )
