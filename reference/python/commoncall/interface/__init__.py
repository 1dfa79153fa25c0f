"""The interface contract: requests of another interface in the form of the contracts, and back.

`read` gives a request and what is carried beside it, `write` makes of both what may be sent.
Replies and streams are read and written, too.
"""

from commoncall import border
from commoncall.interface.events import Events, ReadEvents
from commoncall.interface.events import read_events as read_events_json
from commoncall.interface.operations import OPERATIONS
from commoncall.interface.read import ReadRequest
from commoncall.interface.read import read as read_json
from commoncall.interface.reply import ReadReply
from commoncall.interface.reply import read_reply as read_reply_json
from commoncall.interface.table import Interface
from commoncall.interface.write import WrittenRequest
from commoncall.interface.write import write as write_json
from commoncall.interface.writing import WrittenEvents, WrittenReply, WrittenStream
from commoncall.interface.writing import write_events as write_events_json
from commoncall.interface.writing import write_reply as write_reply_json

read = border.public(request=border.plain)(read_json)
write = border.public(request=border.plain, carried=border.plain)(write_json)
read_reply = border.public(reply=border.plain)(read_reply_json)
read_events = border.public(events=border.plain)(read_events_json)
write_reply = border.public(reply=border.plain, carried=border.plain)(write_reply_json)
write_events = border.public(chunks=border.plain, carried=border.plain)(write_events_json)

__all__ = [
    "OPERATIONS",
    "Events",
    "Interface",
    "ReadEvents",
    "ReadReply",
    "ReadRequest",
    "WrittenEvents",
    "WrittenReply",
    "WrittenRequest",
    "WrittenStream",
    "read",
    "read_events",
    "read_reply",
    "write",
    "write_events",
    "write_reply",
]
