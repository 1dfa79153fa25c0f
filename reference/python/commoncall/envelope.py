"""What all operations share: the outcome, the form of the input, and the injected environment.

An operation is a function of JSON and an environment; it returns an outcome and raises nothing.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, NotRequired, TypedDict, TypeGuard, TypeVar, get_args, get_origin

from commoncall.json_text import too_deep


class Finding(TypedDict):
    """A closed code, a JSON Pointer into the input, the size of a text in UTF-8 bytes, and that the
    endpoint of the profile answers an error.
    """

    code: str
    path: str
    bytes: NotRequired[int]
    refused: NotRequired[Literal[True]]


class Error(TypedDict):
    """Why an operation gave no result; only ``sanitizer_bypassed`` has more than a code."""

    code: str
    trigger: NotRequired[str]
    provider: NotRequired[str]
    model: NotRequired[str]
    callsite: NotRequired[str]


class FormError(TypedDict):
    """What was given has the form of another interface, by what stands at a path (PAY-169)."""

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

Test = Any
"""The form of a JSON value: a type (`object`: any), the words of a `Literal`, or a function that
tells whether a value has it. `Members`, a `Form` and what `says` marks can be taken apart, so that
`commoncall.diagnosis` names what is wrong by what judged it.
"""

Said = TypeVar("Said", bound=Callable[..., bool])


@dataclass(frozen=True, slots=True)
class Form:
    """A test that was put together of others: how, and of what."""

    how: Literal["array_of", "any_of", "all_of", "apart", "seen"]
    of: Any
    test: Callable[[Any], bool]

    def __call__(self, value: object) -> bool:
        """Tell whether a value has the form."""
        return self.test(value)


def says(what: Test) -> Callable[[Said], Said]:
    """Mark a test with what people are told of it: words behind "must", or a form like it."""

    def marked(test: Said) -> Said:
        vars(test)["said"] = what
        return test

    return marked


def fits(value: object, test: Test) -> bool:
    """Tell whether a value has a form."""
    if isinstance(test, type | UnionType):
        return isinstance(value, test)
    origin: Any = get_origin(test)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(test)
    return bool(test(value))


class Members:
    """The form of an object: those of the members that it must have, and of those it may have.

    Where it is ``open`` it can have others, which are not looked at.
    """

    def __init__(
        self, required: Mapping[str, Test], optional: Mapping[str, Test] = {}, *, open: bool = False
    ) -> None:
        self.required = required.keys()
        self.tests = {**required, **optional}
        self.open = open

    def __call__(self, value: object) -> bool:
        """Tell whether a value is an object of this form."""
        if not isinstance(value, Mapping) or not self.required <= value.keys():
            return False
        tests = self.tests
        return all(
            fits(item, tests[name]) if name in tests else self.open for name, item in value.items()
        )


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of JSON input and an environment, which knows the form of its input.

    The outcome is ``invalid_input`` for what has another form, nests too deep or is refused with an
    exception ``invalid``; it is ``env_exhausted`` where the environment holds too little.

    Attributes:
        shallow: gives what of an input may not nest too deep; by default that is all of it.
    """

    is_input: Test
    run: Callable[[Any, Env], Mapping[str, object]]
    invalid: type[Exception] | tuple[()] = ()
    shallow: Callable[[object], object] = lambda value: value

    def __call__(self, value: object, env: Env) -> Outcome:
        """Return the outcome for any JSON."""
        if too_deep(self.shallow(value)) or not self.is_input(value):
            return INVALID_INPUT
        try:
            return {"result": self.run(value, env)}
        except RefusedInput as refused:  # some are also a ValueError, as ``invalid`` can be
            return {"error": refused.error}
        except self.invalid:
            return INVALID_INPUT
        except EnvExhausted:
            return ENV_EXHAUSTED


def pure(
    is_input: Test,
    function: Callable[..., Mapping[str, object]],
    invalid: type[Exception] | tuple[()] = (),
    shallow: Callable[[object], object] = lambda value: value,
) -> Operation:
    """Make an operation of a function whose arguments are the members of its input."""
    return Operation(is_input, lambda given, _: function(**given), invalid, shallow)


def array_of(test: Test) -> Form:
    """Return a test for an array whose elements have a form."""
    return Form(
        "array_of",
        test,
        lambda value: isinstance(value, list) and all(fits(item, test) for item in value),
    )


def any_of(*tests: Test) -> Form:
    """Return a test for what has one of some forms."""
    return Form("any_of", tests, lambda value: any(fits(value, test) for test in tests))


def all_of(*tests: Test) -> Form:
    """Return a test for what has some forms at once; one is asked where those before it fit."""
    return Form("all_of", tests, lambda value: all(fits(value, test) for test in tests))


def apart(test: Test, *members: str) -> Form:
    """Return a test for an object of a form that has at most one of some members."""
    return Form(
        "apart",
        (test, members),
        lambda value: fits(value, test) and len(value.keys() & {*members}) <= 1,
    )


def seen(view: Callable[[Any], object], test: Test) -> Form:
    """Return a test for what has a form where only a part of it is looked at, in its place."""
    return Form("seen", (view, test), lambda value: fits(view(value), test))


@says(array_of(str))
def are_strings(value: object) -> TypeGuard[list[str]]:
    """Tell whether a value is an array of strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


@says("be a whole number")
def is_whole(value: object) -> bool:
    """Tell whether a value is a number without a fraction; ``1.0`` is one, ``true`` is none."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


@says("be a whole number of at least 1")
def is_limit(value: Any) -> bool:
    """Tell whether a value is a whole number of at least 1."""
    return is_whole(value) and value >= 1


@says("be true")
def is_true(value: object) -> bool:
    """Tell whether a value is ``true``."""
    return value is True


are_limits = Members({"payload_bytes": is_limit})


def names_tools(required: Mapping[str, Test], optional: Mapping[str, Test]) -> Form:
    """Return a test for an object that also has ``effective``, or ``observe`` with ``labels``."""
    watches: dict[str, Test] = {"observe": is_true, "labels": are_strings}
    return any_of(
        Members({**required, "effective": are_strings}, optional),
        Members({**required, **watches}, optional),
    )
