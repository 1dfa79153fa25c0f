"""Witnesses that the reference has no part in, and what they said."""
