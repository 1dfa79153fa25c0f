"""Dies of one case."""

import os
import sys
from typing import Any

from tests.adapters.broken.good import run, serve


def die(request: dict[str, Any]) -> None:
    if request["input"] == {"value": 1}:
        print("value 1 \x1b[31mkilled me", file=sys.stderr, flush=True)
        os._exit(7)
    run(request)


serve(run=die)
