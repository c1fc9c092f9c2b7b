"""ADMM for the infinite push (Rakotomamonjy 2012, Algorithm 1)."""
