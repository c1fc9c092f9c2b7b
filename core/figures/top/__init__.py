"""The top of lists and the infinite push, drawn."""
