"""How C is chosen, and how much of a result is that choice."""
