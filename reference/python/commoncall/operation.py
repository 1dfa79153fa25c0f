"""An operation: a function of JSON and an environment, which returns an outcome, raises nothing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from commoncall.envelope import (
    ENV_EXHAUSTED,
    INVALID_INPUT,
    Env,
    EnvExhausted,
    Outcome,
    RefusedInput,
)
from commoncall.forms import Trouble, form_of, troubles
from commoncall.json_text import too_deep


def _nothing(_: Any) -> Iterator[Trouble]:
    yield from ()


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of JSON input and an environment, by a name that says the form of its input.

    The outcome is ``invalid_input`` for what has another form, nests too deep or is refused with an
    exception ``invalid``; it is ``env_exhausted`` where the environment holds too little.

    Attributes:
        beyond: gives what is wrong with an input in form that no schema can say.
    """

    name: str
    run: Callable[[Any, Env], Mapping[str, object]]
    invalid: type[Exception] | tuple[()] = ()
    beyond: Callable[[Any], Iterator[Trouble]] = _nothing

    def __call__(self, value: object, env: Env) -> Outcome:
        """Return the outcome for any JSON."""
        if too_deep(value) or next(self.troubles(value), None) is not None:
            return INVALID_INPUT
        try:
            return {"result": self.run(value, env)}
        except RefusedInput as refused:  # some are also a ValueError, as ``invalid`` can be
            return {"error": refused.error}
        except self.invalid:
            return INVALID_INPUT
        except EnvExhausted:
            return ENV_EXHAUSTED

    def troubles(self, value: object) -> Iterator[Trouble]:
        """Give what is wrong with the form of an input that does not nest too deep."""
        trouble = None
        for trouble in troubles(value, form_of(self.name)):
            yield trouble
        if trouble is None:
            yield from self.beyond(value)


def pure(
    name: str,
    function: Callable[..., Mapping[str, object]],
    invalid: type[Exception] | tuple[()] = (),
    beyond: Callable[[Any], Iterator[Trouble]] = _nothing,
) -> Operation:
    """Make an operation of a function whose arguments are the members of its input."""
    return Operation(name, lambda given, _: function(**given), invalid, beyond)


def by_name(*operations: Operation) -> dict[str, Operation]:
    """Return operations by their names."""
    return {operation.name: operation for operation in operations}
