"""Regularization paths and what was chosen on them, drawn."""
