"""The conformance kit: it drives an adapter with cases and says which requirement breaks."""
