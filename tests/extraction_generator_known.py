"""What generated texts leave out, since the reference is known to read it otherwise than the text.

Each function names the requirement and what goes wrong. It goes once the reference reads it right.
"""

from __future__ import annotations

import re

HEADERS = {
    "<function=": ">",
    "<|tool_call_begin|>": "<|tool_call_argument_begin|>",
    "<|start|>assistant": "<|message|>",
}
"""What begins an opener with a header, and what ends it."""

TOKEN_HEADER = re.compile(
    r"<\|tool_call_begin\|>[^\n<]*<\|tool_call_argument_begin\|>"
    r"|<\|start\|>assistant(?:[^\n<]|<\|channel\|>|<\|constrain\|>)*<\|message\|>"
)
"""An opener of a JSON payload with a header."""


def without_known(made: str) -> str:
    """Return the text without what the reference is known to read wrong."""
    return without_open_header(without_quoting_header(made))


def without_open_header(made: str) -> str:
    """Return a text that does not end inside a header that holds a marker or is a foreign tag.

    Where it does, the reference finds no `[TOOL_CALLS]` in that header (EXT-010), and no
    `<function=` that makes a block behind an undecided opener fail (undecided opener): it shows the
    rest as text.
    """
    for begin, end in HEADERS.items():
        _, found, rest = made.rpartition(begin)
        is_open = found and end not in rest and "\n" not in rest
        if is_open and (begin == "<function=" or "[TOOL_CALLS]" in rest):
            return made + "\n"
    return made


def without_quoting_header(made: str) -> str:
    """Return a text without quotes and backslashes in a header.

    Where a string of a payload ends in the header of an own opener that it holds, and the payload
    fails there, the reference does not count that opener (failed block).
    """
    return TOKEN_HEADER.sub(lambda found: re.sub(r'["\\]', "", found[0]), made)
