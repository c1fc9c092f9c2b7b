"""Non-convex penalties as sequences of weighted convex ones: reweighted l1 and reweighted l2."""
