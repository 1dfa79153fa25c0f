"""The documentation site: one file a kind of page; ``python -m tools.site`` writes its source.

``pages`` of such a file returns what it makes by path on the site, or raises ``SiteError``.
"""
