"""Figures of one fit: its convergence, and the features it keeps."""
