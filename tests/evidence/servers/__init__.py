"""What inference servers answered, as data."""
