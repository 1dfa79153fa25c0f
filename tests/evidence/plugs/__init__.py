"""The plugs, run with what people plug them into: pins of their own, and the session `plugs`."""
