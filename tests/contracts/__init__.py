"""What holds of the contracts beyond their cases."""
