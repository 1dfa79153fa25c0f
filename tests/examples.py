"""Examples that are costly to draw, drawn once for all tests of a process that ask for such."""

import copy
import functools
from typing import TypeVar

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

DEEP = "deep"
"""The profile of the session `fuzz`: each test draws its own examples, and many of them."""

NUMBER = 100
"""As many as a test has of Hypothesis."""

Example = TypeVar("Example")


def shared(strategy: st.SearchStrategy[Example]) -> st.SearchStrategy[Example]:
    """Return a strategy that picks from `NUMBER` examples of another one, the short ones first.

    To draw a history or a registry takes ten times as long as to ask one question of it. What a
    test gets is a copy of its own, and what fails is the shortest of the examples that do.
    """
    if settings.get_current_profile_name() == DEEP:
        return strategy

    @functools.cache
    def examples() -> list[Example]:
        found: list[Example] = []

        @settings(max_examples=NUMBER, phases=[Phase.generate])
        @given(strategy)
        def draw(example: Example) -> None:
            found.append(example)

        draw()
        return sorted(found, key=lambda example: len(repr(example)))

    def pick(place: int) -> Example:
        drawn = examples()  # fewer where there are no more
        return copy.deepcopy(drawn[place * len(drawn) // NUMBER])

    return st.integers(0, NUMBER - 1).map(pick)
