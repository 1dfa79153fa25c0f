"""Declares itself and answers no case."""

from tests.adapters.broken.good import serve

serve(run=lambda request: None)
