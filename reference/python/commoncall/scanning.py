"""Moved to ``commoncall_tools.scanning``; this name goes in 0.3."""

import warnings

from commoncall_tools.scanning import *  # noqa: F403

warnings.warn("moved to commoncall_tools.scanning", DeprecationWarning, stacklevel=2)
