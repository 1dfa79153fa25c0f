"""Judges that the reference has no part in, and what they are given to judge."""
