"""Moved to ``commoncall_tools.scale.spark``; this name goes in 0.3."""

import warnings

from commoncall_tools.scale.spark import *  # noqa: F403

warnings.warn("moved to commoncall_tools.scale.spark", DeprecationWarning, stacklevel=2)
