"""The contract `capability` beyond its cases."""
