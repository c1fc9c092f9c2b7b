"""Figures of the papers' experiments, by the name of the experiment."""
