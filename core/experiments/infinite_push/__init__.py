"""Experiments of Rakotomamonjy (2012), the infinite push paper."""
