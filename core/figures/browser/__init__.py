"""What draws in a browser: the same code for the app's pages and for saved ones."""
