"""The longest text that a report takes from an adapter, for each case."""

from typing import Final

KEPT_CHARACTERS: Final = 1000
"""So many characters of a message, a reason or a path are kept."""


def clipped(text: str) -> str:
    """Return a text, or its begin and how long it was."""
    if len(text) <= KEPT_CHARACTERS:
        return text
    return f"{text[:KEPT_CHARACTERS]}... ({len(text)} characters in all)"
