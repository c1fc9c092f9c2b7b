"""The certified best subset as a yardstick: of methods, of selections by hand, and of how arbitrary a selection is."""
