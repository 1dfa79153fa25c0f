"""The files of data that the package holds."""

import json
import os
from typing import Any, Final

# Not pathlib, which takes its time to import.
HERE: Final = os.path.dirname(os.path.abspath(__file__))
"""The folder of the package."""


def read_json(path: str) -> Any:
    """Return what a file holds; its path may begin at the folder of the package."""
    with open(os.path.join(HERE, path), encoding="utf-8") as file:
        return json.load(file)
