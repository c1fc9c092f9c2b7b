"""Features, drawn: kept, strong alone, alike, steady."""
