"""Colours and dashes that tell features apart in one figure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FeatureStyle:
    """Style of one feature's lines in all panels of a figure."""

    colour: str
    dash: str


# Okabe-Ito hues, darkened until each has a contrast of 3 or more on white and on the dark theme; black and yellow,
# which vanish on one of them, gave way. Neighbours in hue differ in dash as well.
FEATURE_STYLES: tuple[FeatureStyle, ...] = (
    FeatureStyle("#1B7FC4", "solid"),
    FeatureStyle("#D55E00", "solid"),
    FeatureStyle("#009E73", "solid"),
    FeatureStyle("#C0659A", "solid"),
    FeatureStyle("#A87B00", "dash"),
    FeatureStyle("#3A93C8", "dot"),
    FeatureStyle("#8A6BBE", "dashdot"),
    FeatureStyle("#B3574B", "dash"),
)
