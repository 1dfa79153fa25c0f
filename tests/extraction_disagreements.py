"""Where the reference is known to give something else than the text says.

A random text that shows one of these is left out, so that the others still count. A test shows each
and fails as soon as the reference gives what the text says; then its entry goes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.extraction_generator import Given


class Disagreement(NamedTuple):
    """A rule, an input on which the reference misses it, and what marks the texts that can."""

    rule: str
    given: Given
    sign: re.Pattern[str]


CALL = '<tool_call>{"name":"f","arguments":{}}</tool_call>'

KNOWN = {
    "line-feed-in-tag": Disagreement(
        "A fence opens behind nothing but `>` on its line, also where that `>` ends a tag.",
        {"text": f"<tool_call\n>~~~{CALL}", "effective": ["f"]},
        re.compile(r"</?[A-Za-z_]+\s*\n\s*>"),
    ),
    "indented-behind-missing-closer": Disagreement(
        "No block begins on an indented line behind a payload that has no closer.",
        {"text": f"{CALL.removesuffix('</tool_call>')}\n\n    {CALL}", "effective": ["f"]},
        re.compile(r"[}\]`~][ \t\r]*\n[ \t\r\n]*\n[ \t\r]+<"),
    ),
    "surrogate-in-replaced-member": Disagreement(
        "A lone surrogate makes a call value no JSON text, also in a member that does not count.",
        {"text": CALL.replace("{}", '{"a":"\\ud834","a":1}'), "effective": ["f"]},
        re.compile(r"\\u[dD][89a-fA-F]"),
    ),
}


def is_known(text: str) -> bool:
    """Tell whether a text can show a known disagreement."""
    return any(known.sign.search(text) for known in KNOWN.values())
