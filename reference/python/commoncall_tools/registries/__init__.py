"""What people do with registries of capabilities: import and check."""
