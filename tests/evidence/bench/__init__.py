"""What is measured, a module per contract: each has `cases()`, which returns its `Case`s."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Case:
    """Two functions to compare; ``goal`` is the ratio that the candidate stays at or below.

    ``floor`` says in words what the floor does. Both run once before they are timed, and an
    ``AssertionError`` of either ends the run: what does not give the right answer has no speed.
    With ``measures`` "memory" the peak of the candidate's memory is compared, in bytes, with the
    number that the floor returns. A goal that is known to be missed has in ``held`` the ratio that
    is not exceeded meanwhile; the case says why beside it.
    """

    name: str
    floor_does: str
    floor: Callable[[], object]
    candidate: Callable[[], object]
    goal: float | None = None
    measures: Literal["time", "memory"] = "time"
    held: float | None = None
