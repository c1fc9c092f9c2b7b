"""One fit, drawn: how it converged and what it kept."""
