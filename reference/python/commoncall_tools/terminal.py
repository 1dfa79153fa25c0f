"""Lines as a terminal shows them: in colour, and within its width. Needs the extra ``rich``."""

from collections.abc import Iterable
from typing import Final

STYLES: Final = {
    "bad": r"\bnot (?:conformant|established)\b|\b(?:failed|broken|raised|loss)\b"
    r"|\bno call(?=, in)|\brejected\b(?!  | for:)",
    "good": r"(?<!not )\b(?:conformant|passed|satisfied|kept)\b",
    "weak": r"\b(?:not (?:offered|applicable|selected|claimed)|skipped|note)\b",
    "middle": r"\brepair\b",
    "id": r"\b(?:PAY|CAP|EVT|EXT|TRN|ITF|ADR)-[0-9]{3,4}\b",
    "call": r"(?<=[0-9]  )call(?=, in )",
    "head": r"^[a-z][a-z; ]*:$",
}
"""What is set apart in a line, by style. Words, so that what is piped says the same."""

COLOURS: Final = {
    "bad": "bold red",
    "good": "green",
    "weak": "dim",
    "middle": "bold magenta",
    "id": "magenta",
    "call": "bold green",
    "head": "bold",
}
"""Those that can be read on black and on white; yellow and cyan are not."""


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
            for style, pattern in STYLES.items() if not console.no_color else ():
                text.highlight_regex(pattern, COLOURS[style])
            begin, indent = _hanging(line, console.width // 2)
            parts = text[begin:].wrap(console, max(20, console.width - indent))
            for number, part in enumerate(parts):
                before = Text(" " * indent) if number else text[:begin]
                console.print(before + part, soft_wrap=True)
    return captured.get()


def _hanging(line: str, widest: int) -> tuple[int, int]:
    """Return where the part of a line begins that is wrapped, and how far it is then indented:
    under its last column, or a little where that is too far to the right.
    """
    first = len(line) - len(line.lstrip())
    gap = line.rstrip().rfind("  ", first)
    return (gap + 2, gap + 2) if first < gap < widest else (first, first + 2)
