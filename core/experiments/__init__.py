"""The papers' protocol and the numbers they published."""
