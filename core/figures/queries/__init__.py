"""Pictures of single queries."""
