"""The descriptors of the dialects: the files of ``spec/v1/dialects``, which the package holds."""

from __future__ import annotations

import json
import os
from typing import Any, Final

# Not pathlib, which takes its time to import.
_HERE: Final = os.path.dirname(os.path.abspath(__file__))
_PACKAGED: Final = f"{_HERE}/dialects"
_CHECKOUT: Final = f"{_HERE}/../../../spec/v1/dialects"


def _read() -> tuple[dict[str, Any], ...]:
    """Return the descriptors in the order of their files, those of the defaults first."""
    folder = _PACKAGED if os.path.isdir(_PACKAGED) else _CHECKOUT
    descriptors = []
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            descriptors.append(json.load(file))
    return tuple(sorted(descriptors, key=lambda one: not one["default"]))


DESCRIPTORS: Final = _read()
