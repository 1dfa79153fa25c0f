"""Readers of clean payloads, a module for each kind (see ``clean_run``)."""

from collections.abc import Callable, Sequence

from commoncall.extraction.call_value import Found
from commoncall.extraction.reading import Reading

Read = tuple[Sequence[Found], int]
"""What a clean block holds, and the place behind its payload, or behind its own closer."""

Reader = Callable[[str, int, int, str, Reading], Read | None]
"""Reads a payload, given the text, its place, where it ends at the latest, the name that stands in
the opener, and the reading; returns None where there is no clean one."""

LONG = 1 << 16
"""From how many characters on a copy of a payload counts."""
