"""Adapters of the toy suite (``tests/kit_suite.py``): ``good``, and one for each way to be broken.

Run one as ``python -m tests.adapters.broken.NAME`` from the root of the repository.
"""
