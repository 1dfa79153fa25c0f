"""The engine in Rust beside the reference."""
