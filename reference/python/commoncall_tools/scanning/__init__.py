"""What stands in stored chats: calls that leaked into texts, and histories that would not be sent.

``scan_lines`` judges lines and returns counts; counts of parts, merged, are the counts of the
whole. So a log can be read by one process or by many, here (``files``, ``cores``) or in an engine
that holds the lines.

Of each text ``texts`` asks what each format reads in it, and says where it is one leak. ``lines``
knows what a line can be, ``counts`` what is counted.
"""

from commoncall_tools.scanning.counts import Bad, Counts, Example, Model, Tally, merge, no_counts
from commoncall_tools.scanning.lines import How, scan_lines
from commoncall_tools.scanning.texts import DEFAULT, FORMATS, Leak, leaks

__all__ = [
    "DEFAULT",
    "FORMATS",
    "Bad",
    "Counts",
    "Example",
    "How",
    "Leak",
    "Model",
    "Tally",
    "leaks",
    "merge",
    "no_counts",
    "scan_lines",
]
