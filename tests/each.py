"""Many cases in one test: every one is checked, and each that fails is named."""

from collections.abc import Callable, Iterable
from typing import TypeVar

PARTS = 16
"""So many tests share the cases, so that several processes can take them."""

Given = TypeVar("Given")


def part_of(cases: Iterable[tuple[str, Given]], part: int) -> list[tuple[str, Given]]:
    """Return the cases of one of the parts; together they are all."""
    return list(cases)[part::PARTS]


def check_each(cases: Iterable[tuple[str, Given]], check: Callable[[Given], object]) -> None:
    """Check all cases; those that raise are named in one error, with what each raised."""
    failed = []
    for name, given in cases:
        try:
            check(given)
        except Exception as error:
            failed.append(f"{name}: {type(error).__name__}: {error}")
    # A lone surrogate in a report would end the process of pytest-xdist that sends it.
    said = "\n".join(failed).encode(errors="backslashreplace").decode()
    assert not failed, said
