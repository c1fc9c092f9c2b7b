"""Linear models in the formats of search engines and of other tools."""
