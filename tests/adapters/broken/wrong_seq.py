"""Answers every case with the seq of the next."""

from tests.adapters.broken.good import run, serve

serve(run=lambda request: run({**request, "seq": request["seq"] + 1}))
