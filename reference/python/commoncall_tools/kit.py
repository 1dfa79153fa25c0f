"""Whether the conformance kit is there: it is a distribution of its own."""

from importlib.util import find_spec
from typing import Final

NEEDED: Final = "needs the conformance kit: pip install ./commoncall_kit-*.whl"


def is_installed() -> bool:
    """Tell whether the kit can be imported."""
    return find_spec("commoncall_kit") is not None
