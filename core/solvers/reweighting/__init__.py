"""Reweighting: non-convex penalties as sequences of weighted l1 or l2 problems."""
