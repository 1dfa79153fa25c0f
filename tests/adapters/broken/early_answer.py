"""Says an answer before it is asked, in one breath with its declaration."""

import json

from tests.adapters.broken.good import HELLO, serve

EARLY = {"seq": 99, "result": {}}

input()
print(f"{json.dumps(HELLO)}\n{json.dumps(EARLY)}", flush=True)
serve()
