"""The crate beside others, in time."""
