"""Are the cases adequate? Mutants of both ports, adapters that do nothing, and the records."""
