"""The capability contract: may this model have tools, and which are effective in this turn?

Re-exports the contract's types, and its functions behind the border of Python (`border`).
"""

from commoncall import border
from commoncall.capability.effective import EffectiveTools
from commoncall.capability.effective import effective_tools as effective_json
from commoncall.capability.operations import OPERATIONS
from commoncall.capability.plan import Plan
from commoncall.capability.plan import plan_turn as plan_json
from commoncall.capability.prompt import Section
from commoncall.capability.prompt import filter_prompt as filter_json
from commoncall.capability.registry import Registry, load_registry, read_registries
from commoncall.capability.resolve import Match, Reason, Resolution
from commoncall.capability.resolve import resolve as resolve_json

read_sections = border.formed(
    border.of_form("capability.filter_prompt", "sections"), "list of sections"
)
_seq = border.formed(list, "list")
effective_tools = border.public(registered=border.names, layers=_seq)(effective_json)
filter_prompt = border.public(sections=read_sections)(filter_json)
plan_turn = border.public(registered=border.names, layers=_seq, messages=border.messages)(plan_json)
resolve = border.public(registries=read_registries, targets=_seq)(resolve_json)

__all__ = [
    "OPERATIONS",
    "EffectiveTools",
    "Match",
    "Plan",
    "Reason",
    "Registry",
    "Resolution",
    "Section",
    "effective_tools",
    "filter_prompt",
    "load_registry",
    "plan_turn",
    "resolve",
]
