"""The operations of the extraction contract, from JSON input to outcome."""

from __future__ import annotations

from commoncall.envelope import Operation
from commoncall.extraction.extract import extract_operation
from commoncall.extraction.stream import stream_operation

OPERATIONS: dict[str, Operation] = {
    "extraction.extract": extract_operation,
    "extraction.stream": stream_operation,
}
