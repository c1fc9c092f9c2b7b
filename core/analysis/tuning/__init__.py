"""Choice of C, and the noise of that choice."""
