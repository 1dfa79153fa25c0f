"""The interface contract as operations: JSON in, outcome out.

The forms of the inputs are those of the schemas (ITF-001).
"""

from commoncall.interface.events import read_events
from commoncall.interface.read import read
from commoncall.interface.reply import read_reply
from commoncall.interface.write import write
from commoncall.interface.writing import write_events, write_reply
from commoncall.operation import Operation, by_name, pure

OPERATIONS: dict[str, Operation] = by_name(
    pure("interface.read", read),
    pure("interface.write", write),
    pure("interface.read_reply", read_reply),
    pure("interface.read_events", read_events),
    pure("interface.write_reply", write_reply),
    pure("interface.write_events", write_events),
)
