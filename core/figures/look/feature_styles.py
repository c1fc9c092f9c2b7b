"""Colours and dashes of features: the same for a column in every picture, and never those of a method."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FeatureStyle:
    """Style of one feature's lines and dots."""

    colour: str
    dash: str


MOST_COLOURED = 8
"""Features of a picture that have colours; the others are grey."""
# As far from each other and from the colours of all methods as colours can be that are read on both themes; neighbours
# in this list differ most. Of eight features of the sample data on a path, no two have the same one.
COLOURS = (
    "#B825A3", "#05A92E", "#1795FA", "#FF4E1E", "#6B6559", "#6B3CFB", "#AB88A7", "#C56AFF", "#AF8E2A", "#FF44B0",
    "#B4410D", "#227702", "#7761B0", "#499B9F", "#DC1B5C", "#067094", "#105FD9", "#A65175", "#8477F3", "#E86882",
)  # fmt: skip
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def feature_style(column: int) -> FeatureStyle:
    """Return the style of a feature by its column, from 0: colours come again, with another dash, after twenty."""
    rounds, place = divmod(column, len(COLOURS))
    return FeatureStyle(COLOURS[place], DASHES[rounds % len(DASHES)])
