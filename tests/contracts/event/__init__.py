"""The contract `event` beyond its cases."""
