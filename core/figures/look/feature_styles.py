"""Colours of features: the same for a column in every picture, and never those of a method."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FeatureStyle:
    """Style of one feature's lines and dots."""

    colour: str
    width: float


MOST_COLOURED = 8
"""Features of a picture that have colours; the others are grey."""
# Not grey, and as far from each other and from the colours of all methods as colours can be that are read on both
# themes. With twenty, hardly two of the eight features that stand out on a path of the sample data share one.
COLOURS = (
    "#9E4F98", "#05A92E", "#1F51FE", "#FF4E1E", "#139EC6", "#80610D", "#DE50FC", "#F70A94", "#877AF7", "#A9912B",
    "#8B29EB", "#BE3122", "#4E63AE", "#017C1F", "#C2736D", "#C70CC1", "#BE7ACE", "#C60475", "#0C84FA", "#EF5F89",
)  # fmt: skip
WIDTHS = (2.4, 1.4, 3.6)  # pixels; a dash would say something of methods or parts


def feature_style(column: int) -> FeatureStyle:
    """Return the style of a feature by its column, from 0: colours come again, with another width, after twenty."""
    rounds, place = divmod(column, len(COLOURS))
    return FeatureStyle(COLOURS[place], WIDTHS[rounds % len(WIDTHS)])
