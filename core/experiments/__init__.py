"""The papers' protocol, their other experiments, and the numbers they published."""
