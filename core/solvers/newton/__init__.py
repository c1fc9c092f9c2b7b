"""Newton on the exact Hessian of all pairs, with and without an l1 penalty."""
