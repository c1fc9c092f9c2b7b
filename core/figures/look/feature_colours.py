"""Colours of features: the same for a column in every picture, and never that of a method, which a dash tells."""

from __future__ import annotations

from collections.abc import Iterable

from core.figures.look.colours import oklab

MOST_COLOURED = 8
"""Features of a picture that have colours; the others are grey."""
# Not grey, and as far from each other and from the colours of all methods as colours can be that are read on both
# themes. With twenty, hardly two of the eight features that stand out on a path of the sample data share one.
COLOURS = (
    "#9E4F98", "#05A92E", "#1F51FE", "#FF4E1E", "#139EC6", "#80610D", "#DE50FC", "#F70A94", "#877AF7", "#A9912B",
    "#8B29EB", "#BE3122", "#4E63AE", "#017C1F", "#C2736D", "#C70CC1", "#BE7ACE", "#C60475", "#0C84FA", "#EF5F89",
)  # fmt: skip


def feature_colour(column: int) -> str:
    """Return the colour of a feature by its column, from 0: colours come again after twenty."""
    return COLOURS[column % len(COLOURS)]


def feature_colours(columns: Iterable[int]) -> dict[int, str]:
    """Return the colours of the features of one picture, by column: at most twenty, of which no two share one.

    Each has its own colour. Where two have the same, the later column takes the free one that is least like all others.
    """
    ordered = sorted({*columns})
    found: dict[int, str] = {}
    for j in ordered:
        own = feature_colour(j)
        if own in found.values():
            others = {*found.values(), *map(feature_colour, ordered)}
            free = [colour for colour in COLOURS if colour not in others] or [own]
            own = max(free, key=lambda colour: min(_apart(colour, other) for other in others))
        found[j] = own
    return found


def _apart(one: str, other: str) -> float:
    return float(((oklab(one) - oklab(other)) ** 2).sum())
