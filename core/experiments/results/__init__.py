"""Results of a run: summaries, comparisons, and published numbers."""
