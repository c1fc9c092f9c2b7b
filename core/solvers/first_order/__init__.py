"""First-order solvers (gradients only), as printed in the papers and in practical forms."""
