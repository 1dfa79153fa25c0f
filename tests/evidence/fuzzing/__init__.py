"""What only the session `fuzz` runs: random and guided inputs."""
