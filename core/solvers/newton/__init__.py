"""Newton methods with the exact Hessian of all pairs, without and with a sparse penalty."""
