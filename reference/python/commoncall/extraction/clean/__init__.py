"""Readers of clean payloads, each for one kind (see ``clean_run``)."""
