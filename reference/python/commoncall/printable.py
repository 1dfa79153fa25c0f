"""Texts of others, for a terminal."""


def printable(text: str) -> str:
    """Escape what is not printable: texts of others must not steer the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
