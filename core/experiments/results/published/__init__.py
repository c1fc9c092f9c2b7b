"""The numbers that the papers print, with ours beside them."""
