"""The dialects that are known, as data (definition "dialect")."""

from __future__ import annotations

TAG_DIALECTS = ("tool_call", "tools", "tool_calls", "function_call", "function")
"""Dialects whose markers are ``<name>`` and ``</name>``; the id of the dialect is the name."""

DIALECTS = TAG_DIALECTS

FOREIGN_OPENINGS = ("<function=", "<parameter", "<invoke", "<arg_key", "<arg_value")
"""How the payloads of other dialects begin. Behind an undecided opener they tell that it is no
mention in prose."""

REASONING = "think"
"""The name of the reasoning tag."""
