"""Numbers that JSON does not have, which systems read all the same."""

from collections.abc import Mapping
from sys import float_info
from typing import Any


def plain(value: object) -> Any:
    """Return arguments with a text in place of each number that JSON does not have.

    It equals no arguments of a case.
    """
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return (
        str(value) if isinstance(value, int | float) and not abs(value) <= float_info.max else value
    )
