"""Ends after every answer, as a script that handles one request would."""

import os
from typing import Any

from tests.adapters.broken.good import run, serve


def once(request: dict[str, Any]) -> None:
    run(request)
    os._exit(0)


serve(run=once)
