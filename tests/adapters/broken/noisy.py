"""Is right, and writes a megabyte to standard error before every answer."""

import sys
from typing import Any

from tests.adapters.broken.good import run, serve


def shout(request: dict[str, Any]) -> None:
    sys.stderr.write("noise\n" * 175_000)
    sys.stderr.flush()
    run(request)


serve(run=shout)
