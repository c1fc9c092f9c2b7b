"""Figures of the top of lists and of the infinite push."""
