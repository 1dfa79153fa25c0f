"""The extraction contract (``spec/v1/extraction.md``): which calls are hidden in the text that the
model wrote?

What is read. ``Extractor.feed`` takes chunks; a whole text is one. ``Source`` is a window on what
has come and is not read yet, with a cursor. The parsers are generators: each reads one thing, and
where the window ends it yields until more has come, so whole texts and chunks take one way.

In which states. ``machine`` holds the nine states of the law, under their names: each is a function
that reads on and returns the one that follows. What stands beside them, code, quotations and
wrappers, is in ``Reading``. ``Source`` can go back to what is marked: a failed block is read again
from its opener, and so is what only seemed to be something, such as a bare message.

How payloads are read. ``READERS`` has a row for each kind. A reader says that a payload is whole,
wrong at the cursor, or cut off; the machine decides what that makes of the block. JSON is read by
the decoder of the host, and by hand where that does not take it (``PayloadScanner``); literals are
said in JSON while they are scanned (``WrittenScanner``); parameters are read one by one.

Who decides. ``call_value`` and ``parameters`` judge what a whole payload says. ``Reading`` settles
the wrappers around the block and tells ``Decided``, which gets all in the order of the text: it
makes the events of the stream, and ``Record`` the result.

What is kept. ``Source`` keeps the text of an open block from its opener on (``mark``), so that it
can become text or be read again; only a record keeps the input.

A dialect is data (``dialects``), compiled by ``language``. Its reader is a row of ``READERS``.
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
