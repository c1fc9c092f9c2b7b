"""Colours of features: the same for a column in every picture, and never that of a method, which a dash tells."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def oklab(colour: str) -> FloatArray:
    """Convert ``#rrggbb`` to lightness and two axes of hue, shape (3,), where distances match perceived differences.

    Source: Ottosson (2020), A perceptual color space for image processing.
    """
    lab: FloatArray = _TO_OKLAB @ np.cbrt(_TO_LMS @ _linear(colour))
    return lab


def apart(one: str, other: str) -> float:
    """The squared distance of two colours in OKLab."""
    return float(((oklab(one) - oklab(other)) ** 2).sum())


def faded(colour: str, opacity: float) -> str:
    """Write ``#rrggbb`` as CSS with an opacity."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def _linear(colour: str) -> FloatArray:
    """Red, green and blue as amounts of light, from 0 to 1."""
    channels = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


MOST_COLOURED = 8
"""Features of a picture that have colours; the others are grey."""
# Not grey, and as far from each other and from the colours of all methods as colours can be that are read on both
# themes. With twenty, hardly two of the eight features that stand out on a path of the sample data share one.
FEATURE_COLOURS = (
    "#9E4F98", "#05A92E", "#1F51FE", "#FF4E1E", "#139EC6", "#80610D", "#DE50FC", "#F70A94", "#877AF7", "#A9912B",
    "#8B29EB", "#BE3122", "#4E63AE", "#017C1F", "#C2736D", "#C70CC1", "#BE7ACE", "#C60475", "#0C84FA", "#EF5F89",
)  # fmt: skip


def feature_colour(column: int) -> str:
    """Return the colour of a feature by its column, from 0: colours come again after twenty."""
    return FEATURE_COLOURS[column % len(FEATURE_COLOURS)]


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
            free = [colour for colour in FEATURE_COLOURS if colour not in others] or [own]
            own = max(free, key=lambda colour: min(apart(colour, other) for other in others))
        found[j] = own
    return found
