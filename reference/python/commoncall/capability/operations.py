"""The capability contract as operations: JSON in, outcome out.

The forms of the inputs are those of the schemas (CAP-004); what stands in `registries`,
`targets`, `layers`, `capability` and `messages` is judged elsewhere.
"""

from collections.abc import Callable, Mapping
from typing import Any

from commoncall.capability.effective import effective_tools
from commoncall.capability.plan import plan_turn
from commoncall.capability.prompt import filter_prompt
from commoncall.capability.registry import load_registry
from commoncall.capability.resolve import resolve
from commoncall.envelope import Env
from commoncall.operation import Operation, by_name, pure


def of_registries(name: str, function: Callable[..., Mapping[str, object]]) -> Operation:
    """Make an operation of a function that is given what each of its `registries` loads as."""

    def run(given: dict[str, Any], env: Env) -> Mapping[str, object]:
        loaded = [load_registry(document) for document in given["registries"]]
        return function(**{**given, "registries": loaded})

    return Operation(name, run)


OPERATIONS: dict[str, Operation] = by_name(
    of_registries("capability.resolve", resolve),
    pure("capability.effective_tools", effective_tools),
    pure("capability.plan_turn", plan_turn),
    Operation("capability.filter_prompt", lambda given, _: {"sections": filter_prompt(**given)}),
)
