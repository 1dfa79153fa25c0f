"""Answers with a result and an error, so that one of them is right."""

from tests.adapters.broken.good import say, serve

serve(run=lambda request: say({"seq": request["seq"], "result": {}, "error": {"code": "x"}}))
