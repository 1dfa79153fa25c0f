"""The documentation site: one file a kind of page; ``python -m tools.site`` writes its source."""
