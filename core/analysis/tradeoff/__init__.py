"""Trade-off between ranking quality and number of features."""
