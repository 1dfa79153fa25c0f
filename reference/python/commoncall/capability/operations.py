"""The capability contract as operations: JSON in, outcome out.

The envelopes are checked here (CAP-004, CAP-023, CAP-031, CAP-045); what stands in `registries`,
`targets`, `layers`, `capability` and `messages` is judged elsewhere.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from commoncall.capability.effective import effective_tools
from commoncall.capability.plan import plan_turn
from commoncall.capability.prompt import filter_prompt
from commoncall.capability.registry import load_registry
from commoncall.capability.resolve import resolve
from commoncall.envelope import Env, Members, Operation, Test, are_strings, array_of, pure, says


@says('be null, "tools", "catalogue", "protocol", or an object of a string "tool"')
def _is_need(needs: object) -> bool:
    if isinstance(needs, dict):
        return needs.keys() == {"tool"} and isinstance(needs["tool"], str)
    return needs in (None, "tools", "catalogue", "protocol")


are_sections: Final = array_of(Members({"id": str, "needs": _is_need, "text": str}))

is_resolve_input: Final = Members({"registries": list, "targets": list}, {"allow_inferred": bool})
is_effective_input: Final = Members({"registered": are_strings, "layers": list})
is_plan_input: Final = Members(
    {"registered": are_strings, "layers": list, "capability": object, "text_protocol": bool},
    {"strict_parsing": bool, "messages": list},
)
_is_plan: Final = Members(
    {"effective": are_strings, "prompt_catalogue": bool, "prompt_protocol": bool}, open=True
)
is_prompt_input: Final = Members({"sections": are_sections, "plan": _is_plan})


def of_registries(is_input: Test, function: Callable[..., Mapping[str, object]]) -> Operation:
    """Make an operation of a function that is given what each of its `registries` loads as."""

    def run(given: dict[str, Any], env: Env) -> Mapping[str, object]:
        loaded = [load_registry(document) for document in given["registries"]]
        return function(**{**given, "registries": loaded})

    return Operation(is_input, run)


OPERATIONS: dict[str, Operation] = {
    "capability.resolve": of_registries(is_resolve_input, resolve),
    "capability.effective_tools": pure(is_effective_input, effective_tools),
    "capability.plan_turn": pure(is_plan_input, plan_turn),
    "capability.filter_prompt": Operation(
        is_prompt_input, lambda given, _: {"sections": filter_prompt(**given)}
    ),
}
