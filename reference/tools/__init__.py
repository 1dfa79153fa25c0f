"""The repository's own tools: they build, check and publish. Not shipped with the package."""
