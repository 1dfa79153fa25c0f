"""Answers right, and says one thing more when it is stopped."""

from tests.adapters.broken.good import serve

serve()
print("bye")
