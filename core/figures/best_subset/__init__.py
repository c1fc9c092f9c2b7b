"""Figures of the certified best subset: the line, methods against it, sets as good, and the growing tree."""
