"""Readers of files and folders in LETOR format."""
