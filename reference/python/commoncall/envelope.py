"""What all operations share: the outcome, the envelope check, and the injected environment.

An operation is a function of JSON input and an environment; it returns an outcome and raises
nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NotRequired, TypedDict, TypeGuard

from commoncall.json_text import MAX_DEPTH


class Finding(TypedDict):
    """One thing that was judged: a closed code, a JSON Pointer into the input, the size of a text
    in UTF-8 bytes.
    """

    code: str
    path: str
    bytes: NotRequired[int]


class Error(TypedDict):
    """Why an operation gave no result; only ``sanitizer_bypassed`` has more than a code."""

    code: str
    trigger: NotRequired[str]
    provider: NotRequired[str]
    model: NotRequired[str]
    callsite: NotRequired[str]


class Outcome(TypedDict, total=False):
    """Exactly one of ``result`` and ``error``."""

    result: Mapping[str, object]
    error: Error


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


Operation = Callable[[object, Env], Outcome]

INVALID_INPUT: Outcome = {"error": {"code": "invalid_input"}}
ENV_EXHAUSTED: Outcome = {"error": {"code": "env_exhausted"}}

_CONTAINERS = (dict, list)


def are_strings(value: object) -> TypeGuard[list[str]]:
    """Tell whether a value is an array of strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def names_tools(given: Mapping[str, object]) -> bool:
    """Tell whether an input has ``effective``, or ``observe`` with ``labels`` in its place."""
    if "effective" in given:
        return are_strings(given["effective"]) and not {"observe", "labels"} & given.keys()
    return given.get("observe") is True and are_strings(given.get("labels"))


def are_limits(value: object) -> bool:
    """Tell whether a value is ``{"payload_bytes": N}`` with a whole number of at least 1."""
    if not isinstance(value, dict) or value.keys() != {"payload_bytes"}:
        return False
    number = value["payload_bytes"]
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    return number >= 1 and (isinstance(number, int) or number.is_integer())


def too_deep(value: object) -> bool:
    """Tell whether a JSON value nests deeper than 128; the value itself counts as one."""
    level = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(MAX_DEPTH):
        if not level:
            return False
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, _CONTAINERS)
        ]
    return bool(level)
