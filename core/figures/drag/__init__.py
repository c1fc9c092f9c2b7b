"""Moving C in a picture by its handle: a typed description of what moves, and how the browser is told."""
