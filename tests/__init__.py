"""Tests. A package, so that helpers have one name for pytest and for mypy."""
