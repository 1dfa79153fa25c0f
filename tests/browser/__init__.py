"""What a real browser finds on the built site."""
