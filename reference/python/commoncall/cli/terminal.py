"""Lines as a terminal shows them: in colour, and within its width. Needs the extra ``rich``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

STYLES: Final = {
    "bad": r"\bnot (?:conformant|established)\b|\b(?:failed|broken|raised|rejected|loss)\b",
    "good": r"(?<!not )\b(?:conformant|passed|satisfied|kept)\b",
    "weak": r"\b(?:not (?:offered|applicable|selected|claimed)|skipped|note)\b",
    "middle": r"\brepair\b",
    "id": r"\b(?:PAY|CAP|EVT|EXT|TRN|ADR)-[0-9]{3,4}\b",
    "call": r"(?<=: )call(?: of \S+)?(?=:| |$)",
}
"""What is set apart in a line, by style. Words, so that what is piped says the same."""

COLOURS: Final = {
    "bad": "bold red",
    "good": "green",
    "weak": "dim",
    "middle": "yellow",
    "id": "cyan",
    "call": "bold green",
}


def shown(lines: Iterable[str]) -> str | None:
    """Return lines for the terminal that standard output is, or None where rich is not installed.

    ``NO_COLOR``, ``TERM`` and ``COLUMNS`` are read as rich reads them.
    """
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        return None
    console = Console(highlight=False)
    with console.capture() as captured:
        for line in lines:
            text = Text(line)
            for style, pattern in STYLES.items():
                text.highlight_regex(pattern, COLOURS[style])
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            for number, part in enumerate(text.wrap(console, max(20, console.width - 2))):
                console.print(Text(indent if number else "") + part, soft_wrap=True)
    return captured.get()
