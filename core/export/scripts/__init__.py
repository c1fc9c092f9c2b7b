"""Python scripts that recompute a picture of the app; each function makes the text of one kind."""
