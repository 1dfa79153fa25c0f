"""Adapters that tests drive: broken ones, trivial ones, and ports in other languages."""
