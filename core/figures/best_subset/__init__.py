"""Figures of the certified best subset: the line, methods against it and sets as good."""
