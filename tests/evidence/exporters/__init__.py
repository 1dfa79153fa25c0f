"""What is checked against real exporters, in sessions of their own: pytest does not collect it."""
