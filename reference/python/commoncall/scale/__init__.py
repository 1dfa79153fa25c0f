"""Moved to ``commoncall_tools.scale``; this name goes in 0.3."""
