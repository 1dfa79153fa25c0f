"""Declares itself, then sends every request back as its answer."""

from tests.adapters.broken.good import say, serve

serve(run=say)
