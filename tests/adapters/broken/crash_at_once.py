"""Ends before it says anything, with a reason on standard error."""

import sys

sys.exit("no such thing as a free adapter")
