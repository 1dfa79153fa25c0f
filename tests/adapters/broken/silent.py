"""Starts and says nothing, not even its declaration."""

import sys

sys.stdin.read()
