"""Quality against the number of features."""
