"""Blocks that are rejected as a whole, and which of what is rejected was meant as a call."""

from dataclasses import replace

from tests.evidence.second_reading.blocks import Block
from tests.evidence.second_reading.call_values import Refused
from tests.evidence.second_reading.characters import utf8_length
from tests.evidence.second_reading.descriptors import MESSAGES
from tests.evidence.second_reading.markers import Marker
from tests.evidence.second_reading.payload import Payload

REJECTED_EARLY = ("truncated", "invalid_json", "trailing_text", "payload_too_large")
"""The codes of a block that is rejected before its values are judged (unreadable call)."""


def narrowed(text: str, opener: Marker, block: Block, payload_bytes: int | None) -> Block:
    """Return the block as the descriptor takes it, which can reject it as a whole.

    ``payload_bytes`` is that of the ``limits``. Of a block that is rejected before its values are
    judged the code stays.
    """
    form = opener.form
    if form.limit_bytes is not None and not opener.reserved:
        limit = form.limit_bytes if payload_bytes is None else payload_bytes
        if utf8_length(text[opener.end : block.inner_end]) > limit:  # EXT-164
            return replace(block, code="payload_too_large", payload=None)
    made = set(block.payload.repairs) if isinstance(block.payload, Payload) else set()
    if form.repairs is not None and not made <= set(form.repairs):  # EXT-160
        return replace(block, code="invalid_json", payload=None)
    return block


def is_unreadable(opener: Marker, block: Block, refused: Refused) -> bool:
    """Tell whether what is rejected in a block, or the block itself, is an unreadable call."""
    if opener.form.dialect == MESSAGES or opener.of_message is not None:
        return True  # its one payload makes the block rejected
    if block.code is not None:  # before its values are judged
        return block.begun and block.code in REJECTED_EARLY
    # A payload of arrays without elements has no call value.
    return refused.code not in ("declaration", "not_a_call", "empty")


def error_type(refused: Refused) -> str:
    """EXT-165."""
    if refused.code == "payload_too_large":
        return "tool_payload_too_large"
    return "tool_payload_parse_error"
