"""The common look of all figures: colours, labels, layout."""
