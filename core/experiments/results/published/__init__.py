"""The numbers that the papers print, and ours beside them."""
