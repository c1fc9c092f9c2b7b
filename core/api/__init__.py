"""What notebooks and scripts use: the app's answers as functions, tables and one estimator."""
