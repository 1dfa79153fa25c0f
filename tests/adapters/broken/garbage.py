"""Answers with something that is no JSON."""

from tests.adapters.broken.good import serve

serve(run=lambda request: print("Segmentation fault (just kidding)", flush=True))
