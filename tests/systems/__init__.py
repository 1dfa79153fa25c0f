"""Adapters for systems that people run: each a folder, surveyed by the session `systems`."""
