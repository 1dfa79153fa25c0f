"""Measure how long a parser takes: python -m tests.systems.slow NAME GENERATOR SIZE...

Prints a list of seconds of processor time, one for each size: characters of what the generator of
`tests.contracts.extraction.adversarial` makes. By hand, with the Python of the system's folder, for
the rows of `findings.json` that are slow.
"""

import json
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from tests.contracts.extraction import adversarial

# The adapter reads the name of the system at the same place.
NAME, GENERATOR, *SIZES = sys.argv[1:]
FOLDER = next(Path(__file__).parent.glob(f"[!r]*/{NAME}.json")).parent.name
OTHERS = {**adversarial.IN_VALUES, **adversarial.OF_DIALECTS}
GENERATORS = {
    **adversarial.INPUTS,
    **adversarial.BY_RULE,
    **{name: text for name, (_, text) in OTHERS.items()},
}


def seconds(extract: Any, size: int) -> float:
    """Return the processor time that a text of this size takes, whatever comes of it."""
    given = {"text": GENERATORS[GENERATOR](size), "effective": ["f"]}
    begin = process_time()
    with suppress(Exception):
        extract(given)
    return round(process_time() - begin, 2)


if __name__ == "__main__":
    module = import_module(f"tests.systems.{FOLDER}.adapter")
    print(json.dumps([seconds(module.extract, int(size)) for size in SIZES]))
