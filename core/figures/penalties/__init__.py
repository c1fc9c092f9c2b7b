"""Penalties, and the objective over two features, drawn."""
