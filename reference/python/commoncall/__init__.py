"""CommonCall: the reference for the contracts between an agent runtime and an LLM that exchange
tool calls.

Import a contract by its name: ``commoncall.payload``, ``commoncall.extraction``. This file holds
the version only.
"""

__version__ = "0.9.0.dev0"
