"""What a run says: summaries, comparisons, and the numbers that were published."""
