"""An audit on one's own data: answers of this program beside those of independent computations."""
