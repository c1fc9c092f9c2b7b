"""A run of the protocol, drawn."""
