"""The text of the law, and the data beside it: read, linted, indexed."""
