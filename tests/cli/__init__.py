"""The command `commoncall`, as people run it."""
