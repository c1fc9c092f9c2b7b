"""The experiments of Rakotomamonjy (2012)."""
