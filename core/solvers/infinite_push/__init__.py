"""Exact solvers of the infinite push and its top shares, and recursive elimination on top of them."""
