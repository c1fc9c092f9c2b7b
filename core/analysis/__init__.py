"""Analysis of fitted models: paths, choices, single features, trade-offs, stability."""
