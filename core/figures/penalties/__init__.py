"""Figures of penalties, and of the objective over two features."""
