"""The store of finished cells."""
