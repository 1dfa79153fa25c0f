"""The extraction contract (``spec/v1/extraction.md``).

Which calls are hidden in the text that the model wrote?
"""

from commoncall.extraction.call_value import Call
from commoncall.extraction.events import Event
from commoncall.extraction.extract import Stream, extract, extractor_for, stream
from commoncall.extraction.extractor import Extractor
from commoncall.extraction.operations import OPERATIONS
from commoncall.extraction.record import Extraction, Repair, Segment

__all__ = [
    "OPERATIONS",
    "Call",
    "Event",
    "Extraction",
    "Extractor",
    "Repair",
    "Segment",
    "Stream",
    "extract",
    "extractor_for",
    "stream",
]
