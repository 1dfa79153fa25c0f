"""A scan in engines that hold the lines: each module needs the extra of its name."""
