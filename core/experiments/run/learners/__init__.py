"""What a cell can fit: linear methods, and LambdaMART for reference."""
