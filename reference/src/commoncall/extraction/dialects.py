"""The dialects that are known, as data (definition "dialect")."""

from __future__ import annotations

TAG_DIALECTS = ("tool_call", "tools", "tool_calls", "function_call", "function")
"""Dialects whose markers are ``<name>`` and ``</name>``; the id of the dialect is the name."""

HARMONY_PSEUDO = "harmony-pseudo"
"""The dialect of messages with control tokens and a channel ``tool``."""

DIALECTS = (*TAG_DIALECTS, HARMONY_PSEUDO)

FOREIGN_OPENINGS = ("<function=", "<parameter", "<invoke", "<arg_key", "<arg_value")
"""How the payloads of other dialects begin. Behind an undecided opener they tell that it is no
mention in prose.
"""

REASONING = "think"
"""The name of the reasoning tag."""

MESSAGE_START = "<|start|>assistant"
HEADER_END = "<|message|>"
HEADER_TOKENS = ("<|channel|>", "<|constrain|>")
HEADER_LENGTH = 128
MESSAGE_END = "<|end|>"
CALL_END = "<|call|>"
RESERVED_IN_HEADERS = ("recipient:", "to:", "to=", "<|constrain|>")
TOOL_CHANNEL = "tool"
