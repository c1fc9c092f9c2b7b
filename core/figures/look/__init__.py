"""What pictures share: colours, labels and the way they are put together."""
