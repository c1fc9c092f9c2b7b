"""The infinite push and its top shares: exact programs, and elimination on top of them."""
