"""What inference servers answered, as data, and a server on the loopback that answers so again."""
