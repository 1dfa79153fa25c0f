"""A scan in Spark and DuckDB, beside that of the command."""
