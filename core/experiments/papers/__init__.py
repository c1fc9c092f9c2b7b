"""Figures and tables of the papers outside the protocol: one file an experiment, and their registry."""
