"""Names from outside as they are shown: as text wherever they stand, and short without becoming equal."""
