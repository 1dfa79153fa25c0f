"""The documentation site: one file a kind of page; ``python -m tools.site`` writes its source.

The function ``pages`` of such a file returns what it makes by path on the site. It raises
``SiteError`` where what it reads is missing or out of form.
"""
