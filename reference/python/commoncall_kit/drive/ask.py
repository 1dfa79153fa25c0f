"""What it is to ask an adapter, be it a process or a function, and how that fails."""

from collections.abc import Callable, Mapping

Ask = Callable[[str, object, Mapping[str, object] | None], Mapping[str, object]]
"""Operation, input and environment in; one of ``result``, ``error``, ``skipped``, ``errored`` out.

It raises `CaseError` where no answer came, and `RunError` where none will come any more.
"""


class CaseError(Exception):
    """The adapter did not answer this case as the protocol asks. The text says how."""


class RunError(Exception):
    """The run cannot be made, or cannot go on. The text says why."""
