"""A dataset looked at before anything is fitted."""
