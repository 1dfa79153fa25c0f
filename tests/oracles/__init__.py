"""Slow second readings of the specification, for tests that compare the reference with them.

Each is written from the text alone, imports nothing of the package, and may take quadratic time.
"""
