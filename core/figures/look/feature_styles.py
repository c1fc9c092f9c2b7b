"""Colours of features: the same for a column in every picture, and never that of a method, which a dash tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.figures.look.colours import oklab


@dataclass(frozen=True)
class FeatureStyle:
    """Style of one feature's lines and dots."""

    colour: str


MOST_COLOURED = 8
"""Features of a picture that have colours; the others are grey."""
# Not grey, and as far from each other and from the colours of all methods as colours can be that are read on both
# themes. With twenty, hardly two of the eight features that stand out on a path of the sample data share one.
COLOURS = (
    "#9E4F98", "#05A92E", "#1F51FE", "#FF4E1E", "#139EC6", "#80610D", "#DE50FC", "#F70A94", "#877AF7", "#A9912B",
    "#8B29EB", "#BE3122", "#4E63AE", "#017C1F", "#C2736D", "#C70CC1", "#BE7ACE", "#C60475", "#0C84FA", "#EF5F89",
)  # fmt: skip


def feature_style(column: int) -> FeatureStyle:
    """Return the style of a feature by its column, from 0: colours come again after twenty."""
    return FeatureStyle(COLOURS[column % len(COLOURS)])


def feature_styles(columns: Iterable[int]) -> dict[int, FeatureStyle]:
    """Return the styles of the features of one picture, by column: at most twenty, of which no two share a colour.

    Each has its own colour. Where two have the same, the later column takes the free one that is least like all others.
    """
    ordered = sorted({*columns})
    styles: dict[int, FeatureStyle] = {}
    for j in ordered:
        styles.setdefault(j, feature_style(j))
        taken = {style.colour for column, style in styles.items() if column != j}
        if styles[j].colour in taken:
            others = taken | {feature_style(k).colour for k in ordered}
            free = [colour for colour in COLOURS if colour not in others] or [styles[j].colour]
            styles[j] = FeatureStyle(max(free, key=lambda colour: min(_apart(colour, other) for other in others)))
    return styles


def _apart(one: str, other: str) -> float:
    return float(((oklab(one) - oklab(other)) ** 2).sum())
