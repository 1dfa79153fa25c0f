"""Dies of one case, and declares less when it is started again (the file argument remembers)."""

import os
import sys
from pathlib import Path
from typing import Any

from tests.adapters.broken.good import HELLO, run, serve

memory = Path(sys.argv[1])


def die(request: dict[str, Any]) -> None:
    if request["input"] == {"value": 1}:
        os._exit(1)
    run(request)


again = memory.exists()
memory.touch()
serve(run=die, hello={**HELLO, "features": []} if again else HELLO)
