"""What is measured, a module per contract: each has `cases()`, which returns its `Case`s."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """Two functions to compare; ``goal`` is the ratio that the candidate stays at or below.

    ``floor`` says in words what the floor does. Both run once before they are timed, and an
    ``AssertionError`` of either ends the run: what does not give the right answer has no speed.
    """

    name: str
    floor_does: str
    floor: Callable[[], object]
    candidate: Callable[[], object]
    goal: float | None = None
