"""Analysis of penalties: their curves, and the minima they lead to."""
