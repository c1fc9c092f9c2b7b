"""What single features can do, and which ones models keep."""
