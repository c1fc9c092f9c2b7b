"""Figures of quality against the number of features."""
