"""Figures and tables of the papers that are no protocol: one file an experiment, and the registry of them."""
