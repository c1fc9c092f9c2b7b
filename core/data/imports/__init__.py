"""Judgments and logged features of search engines and evaluation tools, joined into ranking data."""
