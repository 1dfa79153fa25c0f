"""What only the session `fuzz` runs: minutes of random and guided inputs."""
