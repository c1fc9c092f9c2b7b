"""Single queries: their lists under two models, and why a document stands where it does."""
