"""Claims the contract `toy` with one of its two core operations, and no other contract."""

from tests.adapters.broken.good import HELLO, serve

serve(hello={**HELLO, "operations": ["toy.echo"], "features": []})
