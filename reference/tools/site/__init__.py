"""The documentation site: one file a kind of page; ``python -m tools.site`` writes its source.

``pages`` of such a file returns what it makes by path on the site, a page as text or as its parts;
``parts`` returns those of the one page that the file makes, at ``PAGE``.
"""
