"""Descriptions of a dataset before anything is fitted."""
