"""Branch and bound for the best features within a budget."""
