"""Declares no operation at all."""

from tests.adapters.broken.good import HELLO, serve

serve(hello={**HELLO, "operations": []})
