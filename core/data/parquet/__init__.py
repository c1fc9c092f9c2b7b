"""Parquet in and out: a column of relevance, one of query, and features by name."""
