"""Export of results: reports and tables for people and for other programs."""
