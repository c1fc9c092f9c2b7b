"""Solvers that use gradients only, as the papers print them."""
