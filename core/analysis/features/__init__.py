"""Analysis of features: alone, compared with each other, and in models."""
