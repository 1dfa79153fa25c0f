"""What a release needs, and what it hands out."""
