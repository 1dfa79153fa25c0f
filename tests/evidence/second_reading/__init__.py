"""A slow second reading of the extraction contract, for tests that compare the reference with it.

It is written from the text alone, imports nothing of the package, and may take quadratic time.
"""
