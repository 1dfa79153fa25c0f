"""The contract `extraction` beyond its cases."""
