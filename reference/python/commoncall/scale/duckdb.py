"""Moved to ``commoncall_tools.scale.duckdb``; this name goes in 0.3."""

import warnings

from commoncall_tools.scale.duckdb import *  # noqa: F403

warnings.warn("moved to commoncall_tools.scale.duckdb", DeprecationWarning, stacklevel=2)
