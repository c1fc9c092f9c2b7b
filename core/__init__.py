"""The core of Sparse Ranking Lab: sparse learning to rank without a user interface."""
