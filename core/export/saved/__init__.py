"""Pictures as one HTML file that needs no server and no network: C is dragged in them, as in the app."""
