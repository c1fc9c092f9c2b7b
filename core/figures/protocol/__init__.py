"""Figures of a run of the protocol."""
