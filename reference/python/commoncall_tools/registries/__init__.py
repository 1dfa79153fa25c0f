"""What people do with registries of capabilities: import, check, and explain a search."""
