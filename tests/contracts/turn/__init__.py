"""The contract `turn` beyond its cases."""
