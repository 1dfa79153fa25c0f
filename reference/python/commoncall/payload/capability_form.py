"""What a capability offers a request.

Definition "offered choice" and PAY-045 of spec/v1/payload.md. How a capability is
read is in ``commoncall.stated_capability``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from commoncall.stated_capability import ChoiceKind, stated_choices, stated_parallel, supports


@dataclass(frozen=True, slots=True)
class Support:
    """What a model takes. ``choices`` is None where the capability states no list."""

    tools: bool
    choices: Collection[str] | None
    parallel: bool

    def offers(self, kind: ChoiceKind) -> bool:
        """Tell whether a request may have a choice of this kind."""
        return self.choices is None or kind in self.choices


def read_capability(capability: object) -> Support:
    """Read a capability, which can be any JSON.

    Meant is ``{tool_calls_supported, tool_choice?, parallel_tool_calls?}``.
    """
    return Support(
        tools=supports(capability),
        choices=stated_choices(capability),
        parallel=stated_parallel(capability) is not False,
    )
