"""Figures of features: selection, quality alone, similarity, stability."""
