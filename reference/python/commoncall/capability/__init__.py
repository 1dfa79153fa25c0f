"""The capability contract: may this model have tools, and which are effective in this turn?

Re-exports the contract's functions and result types; nothing is defined here.
"""

from commoncall.capability.effective import EffectiveTools, effective_tools
from commoncall.capability.operations import OPERATIONS
from commoncall.capability.plan import Plan, plan_turn
from commoncall.capability.prompt import Section, filter_prompt
from commoncall.capability.registry import Registry, load_registry
from commoncall.capability.resolve import Match, Reason, Resolution, resolve
from commoncall.capability.search_path import explain_resolve

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
    "explain_resolve",
    "filter_prompt",
    "load_registry",
    "plan_turn",
    "resolve",
]
