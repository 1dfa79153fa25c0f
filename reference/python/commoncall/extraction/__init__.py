"""The extraction contract (``spec/v1/extraction.md``): which calls are hidden in the text that the
model wrote?

What is read. ``Extractor.feed`` takes chunks; a whole text is one. ``Source`` is a window on what
has come and is not read yet, with a cursor. The parsers are generators: each reads one thing, and
where the window ends it yields until more has come, so whole texts and chunks take one way.

In which states. ``document`` is in prose, in reasoning, in a block, or behind a block that the text
decides about (``Reading.pending``). ``Markers`` find the next marker; ``CodeTracker`` says whether
it stands in code. An opener before an opener may be a wrapper (``Wrappers``); behind any other,
``read_block`` looks what follows and hands over to the scanner of the dialect: parameters are read
one by one (``parameters_block``), else a scanner finds the end, as ``PayloadScanner`` that of JSON,
and ``scanned_block`` looks what stands behind it; at an error ``failed_block`` goes on. A failed
block is read again from its opener: its own closers behind the error have to balance the openers
that have such, or a blank line ends it. A parser stops behind its block or leaves it pending, and
``document`` asks what follows.

Who decides. A parser that knows what its block is calls ``end_block``, ``reject`` or ``suspend`` of
``Reading``; ``call_value`` and ``parameters`` judge what a payload says, which is JSON by then
(``literal_json``). ``Reading`` settles the wrappers around the block and tells ``Decided``, which
gets all in the order of the text: it makes the events of the stream, and ``Record`` the result.

What is kept. ``Source`` keeps the text of an open block from its opener on (``mark``), so that it
can become text or be read again; only a record keeps the input.

A dialect is data (``dialects``), compiled by ``language``; a scanner of payloads is a row
of ``SCANNERS`` in ``block``, and nothing else asks which one a dialect has, but the kinds of JSON.
"""

from commoncall import border
from commoncall.dialect_data import format_for, formats_named
from commoncall.extraction import extract as of_json
from commoncall.extraction.call_value import Call
from commoncall.extraction.extractor import Extractor
from commoncall.extraction.language import opens_reasoning
from commoncall.extraction.operations import OPERATIONS
from commoncall.extraction.record import Event, Extraction, Repair, Segment, Stream

_public = border.public(text=border.formed(str, "text"), tools=border.formed(list, "list"))
extract, extractor_for = _public(of_json.extract), _public(of_json.extractor_for)
stream = _public(of_json.stream)

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
    "format_for",
    "formats_named",
    "opens_reasoning",
    "stream",
]
