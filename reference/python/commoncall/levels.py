"""The level of each code of a finding: how much of it a reader has to look at.

The definition "level" of spec/v1/codes.md; ``levels.json`` is made from its list. No finding
carries its level: who shows or counts findings asks for it here.
"""

from typing import Final, Literal

from commoncall.packaged import read_json

Level = Literal["note", "repair", "loss"]
"""Nothing is lost; a fault that was mended; something is gone or is not what it was."""

LEVELS: Final[dict[str, Level]] = read_json("levels.json")


def level_of(code: str) -> Level:
    """Return the level of the code of a finding.

    Raises:
        ValueError: no finding has this code.
    """
    if code not in LEVELS:
        raise ValueError(f"no finding has the code {code!r}")
    return LEVELS[code]
