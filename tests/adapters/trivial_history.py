"""The trivial answers to the operations on histories; `trivial.py` says what they are for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tools.schemas import Schemas, read_schemas

OPERATIONS = ("payload.sanitize_history", "payload.flatten_history")

Answer = dict[str, Any]

_SCHEMAS: list[Schemas] = []


def null() -> Answer:
    """Answer with as little as the shape allows."""
    return _history([])


def echo(operation: str, data: Any) -> Answer:
    """Answer with the messages that came in, as far as the shape allows."""
    if not _SCHEMAS:
        _SCHEMAS.append(read_schemas(Path(__file__).resolve().parents[2]))
    shape = f"urn:commoncall:v1:{operation.replace('.', ':')}#/$defs/message"
    return _history([one for one in _messages(data) if not _SCHEMAS[0].errors(shape, one)])


def reject_all(data: Any) -> Answer:
    """Find nothing in order: every message goes."""
    paths = (f"/messages/{at}" for at in range(len(_messages(data))))
    return _history([], [{"code": "result_orphaned", "path": path} for path in paths])


def _messages(data: Any) -> list[Any]:
    match data:
        case {"messages": list(messages)}:
            return messages
    return []


def _history(messages: list[Any], findings: list[Answer] | None = None) -> Answer:
    return {"result": {"messages": messages, "findings": findings or []}}
