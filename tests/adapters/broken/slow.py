"""Is not done with one case within any patience."""

import time
from typing import Any

from tests.adapters.broken.good import run, serve


def wait(request: dict[str, Any]) -> None:
    if request["input"] == {"value": 1}:
        time.sleep(3600)
    run(request)


serve(run=wait)
