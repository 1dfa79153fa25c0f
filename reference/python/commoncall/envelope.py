"""What all operations share: the outcome, and the injected environment."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NotRequired, TypedDict

MARK: Final = "_from"
"""The member in which a store says where a message came from (definition "mark")."""


class Finding(TypedDict):
    """A closed code, a JSON Pointer into the input, the size of a text in UTF-8 bytes, that it can
    be repaired, the repairs that were made, and that the endpoint of the profile answers an error.
    """

    code: str
    path: str
    bytes: NotRequired[int]
    repairable: NotRequired[Literal[True]]
    repairs: NotRequired[list[str]]
    refused: NotRequired[Literal[True]]


class Error(TypedDict):
    """Why an operation gave no result."""

    code: str


class FormError(TypedDict):
    """What was given has the form of another interface, by what stands at a path (PAY-167)."""

    code: Literal["form_not_chat_completions"]
    form: str
    path: str


class Outcome(TypedDict, total=False):
    """Exactly one of ``result`` and ``error``."""

    result: Mapping[str, object]
    error: Error | FormError


class RefusedInput(Exception):
    """An operation gives no result. ``error`` says why; the text is its code."""

    def __init__(self, error: Error | FormError) -> None:
        super().__init__(error["code"])
        self.error = error


class EnvExhausted(Exception):
    """The environment holds no further id, or no further reading of the clock."""


def random_id() -> str:
    """Return a random UUID, version 4 (EXT-084)."""
    import uuid  # which is slow to import, and few operations make ids

    return str(uuid.uuid4())


class Env:
    """What a pure function may not make itself: ids and readings of a clock, in order of use.

    Without a list of ids each one is a random UUID (version 4), and without a list of readings the
    clock is the monotonic one of the machine.
    """

    def __init__(
        self, ids: Sequence[str] | None = None, clock_ms: Sequence[float] | None = None
    ) -> None:
        self._ids: Iterator[str] | None = None if ids is None else iter(ids)
        self._clock_ms: Iterator[float] | None = None if clock_ms is None else iter(clock_ms)

    def next_id(self) -> str:
        """Return the next id.

        Raises:
            EnvExhausted: the injected list is used up.
        """
        if self._ids is None:
            return random_id()
        for identifier in self._ids:
            return identifier
        raise EnvExhausted

    def next_ms(self) -> float:
        """Read the clock, in milliseconds; only differences mean something.

        Raises:
            EnvExhausted: the injected list is used up.
        """
        if self._clock_ms is None:
            return time.monotonic() * 1000
        for reading in self._clock_ms:
            return float(reading)
        raise EnvExhausted


INVALID_INPUT: Outcome = {"error": {"code": "invalid_input"}}
ENV_EXHAUSTED: Outcome = {"error": {"code": "env_exhausted"}}
