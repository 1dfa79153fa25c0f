"""What the parts of a text can be, as the states say them."""

from collections.abc import Sequence
from typing import NamedTuple

from commoncall.extraction.call_value import Found
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.record import Span


class Text(NamedTuple):
    """A text that is no part of anything else."""

    text: str
    is_muted: bool = False  # no tag of a pair begins or ends in it


class Whole(NamedTuple):
    """A block with a whole payload."""

    dialect: Dialect
    start: int
    end: int
    found: Sequence[Found]
    repairs: Sequence[str]
    closer: str = ""  # the tag of no dialect that stands in for its closer


class Rejected(NamedTuple):
    """A block that is rejected unjudged."""

    dialect: Dialect
    start: int
    end: int
    code: str
    is_meant: bool  # as a call


PartOfText = Text | Span | Whole | Rejected
"""A ``Span`` is one that holds no block, and is not in the content."""
