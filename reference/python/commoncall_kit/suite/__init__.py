"""What the suite is: where it comes from, what stands in it, and what its laws ask."""
