"""The text between the markers of a pseudo-marker, judged once for extraction and for the record of
calls (EXT-168).

Extraction meets the payload inside its block, where it has found the end; the record of calls has
the text alone. What the object in it must be is one function, ``call_value.judge``, with the
descriptor of the dialect.
"""

from __future__ import annotations

from typing import Final

from commoncall.extraction.call_value import Judged, judge
from commoncall.extraction.dialects import DIALECTS
from commoncall.extraction.json_object import read_payload
from commoncall.json_text import JSON_SPACE, JsonTextError, utf8_length

_MARKER: Final = next(dialect for dialect in DIALECTS.values() if dialect.is_addressed)


def judge_marker_payload(text: str) -> Judged | None:
    """Judge a payload that is the text of one object; None where it is no such text."""
    body = text.strip(JSON_SPACE)
    if not body.startswith("{"):
        return None
    try:
        (members,) = read_payload(body)
    except JsonTextError:
        return None
    assert members is not None
    return judge(body, members, _MARKER)


def is_too_large(text: str, payload_bytes: int | None) -> bool:
    """Tell whether a payload is longer than the limit, by default that of the dialect (EVT-030)."""
    limit = payload_bytes or _MARKER.limit_bytes
    return limit is not None and utf8_length(text) > limit
