"""Where finished cells are kept."""
