"""Other extractors beside the reference, on the same texts; only the session `peers` runs this."""
