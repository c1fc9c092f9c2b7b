"""Learners of a cell: linear methods, and LambdaMART as a reference."""
