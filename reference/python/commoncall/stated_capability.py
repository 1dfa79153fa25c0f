"""What a capability states: support, choices, parallel calls.

Holds the three definitions under "Capabilities" of spec/vocabulary.md. Any JSON can stand in the
place of a capability; what cannot be read is closed. Every contract reads it here.
"""

from typing import Final, Literal

ChoiceKind = Literal["auto", "none", "required", "named"]

CHOICES: Final[tuple[ChoiceKind, ...]] = ("auto", "none", "required", "named")


def supports(capability: object) -> bool:
    """Tell whether it is ``true`` itself; ``1`` and ``"true"`` are not (CAP-005, PAY-032)."""
    return isinstance(capability, dict) and capability.get("tool_calls_supported") is True


def stated_choices(capability: object) -> list[ChoiceKind] | None:
    """Return the stated choices in their fixed order; None where nothing is stated."""
    if not isinstance(capability, dict) or not supports(capability):
        return []
    given = capability.get("tool_choice")
    if given is None:
        return None
    return [choice for choice in CHOICES if choice in given] if are_choices(given) else []


def stated_parallel(capability: object) -> bool | None:
    """Return whether parallel calls are stated; None where nothing is stated."""
    if not isinstance(capability, dict) or not supports(capability):
        return False
    given = capability.get("parallel_tool_calls")
    return given if given is None or isinstance(given, bool) else False


def offers(capability: object, kind: ChoiceKind) -> bool:
    """Tell whether a request may have a choice of this kind (definition "offered choice")."""
    choices = stated_choices(capability)
    return choices is None or kind in choices


def choice_word(choice: object) -> object:
    """Return a choice as a string where it is an object that says no more (definition "offered
    choice").
    """
    if not isinstance(choice, dict) or len(choice) != 1:
        return choice
    match choice:
        case {"type": "any"}:
            return "required"
        case {"type": "auto" | "none" | "required" as word}:
            return word
    return choice


def are_choices(given: object) -> bool:
    """Tell whether a value is a list of the known choices and nothing else."""
    return isinstance(given, list) and all(choice in CHOICES for choice in given)
