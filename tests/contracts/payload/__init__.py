"""The contract `payload` beyond its cases."""
