"""Colours for lines and marks: readable on both themes, and as different from each other as possible.

Those of features are the same for a column in every picture, and never that of a method, which a dash tells.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

BACKGROUNDS = ("#ffffff", "#0e1117", "#191816")
"""Of the light theme, of Streamlit's dark one, and of the dark report."""
LEAST_CONTRAST = 3.3
"""With every background. WCAG 2.1 asks for 3 of what is drawn; the rest is for thin lines."""
APART = 0.06
"""Distance in OKLab from colours of another kind of thing."""
LIGHTNESSES, CHROMAS, HUES = (0.55, 0.58, 0.61, 0.64), (0.06, 0.1, 0.14, 0.18, 0.22), range(0, 360, 10)
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


def contrast(one: str, other: str) -> float:
    """Compute the contrast of two colours by WCAG 2.1: 1 for equal ones, 21 for black on white."""
    dark, light = sorted(float(_linear(colour) @ (0.2126, 0.7152, 0.0722)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def faded(colour: str, opacity: float) -> str:
    """Write ``#rrggbb`` as CSS with an opacity."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


@lru_cache(maxsize=1)
def readable_colours() -> tuple[str, ...]:
    """Return colours of every hue that contrast with every background."""
    every = (_hexadecimal(*place) for place in itertools.product(LIGHTNESSES, CHROMAS, HUES))
    return tuple(
        colour for colour in every if colour and min(contrast(colour, back) for back in BACKGROUNDS) >= LEAST_CONTRAST
    )


def unlike(near: Iterable[str], far: Iterable[str], other_things: Iterable[str] = ()) -> str:
    """Return the readable colour that differs most from those that are taken.

    ``near`` are colours of what stands in the same pictures, ``far`` of everything else: the new colour may be twice as
    like these. From ``other_things``, another kind of thing, it keeps a distance of `APART`.
    """
    readable = readable_colours()
    places = np.array([oklab(colour) for colour in readable])
    room = np.full(len(readable), np.inf)
    for taken, weight in ((near, 1.0), (far, 2.0)):
        for colour in taken:
            room = np.minimum(room, weight * np.linalg.norm(places - oklab(colour), axis=1))
    for colour in other_things:
        room[np.linalg.norm(places - oklab(colour), axis=1) < APART] = -np.inf
    return readable[int(room.argmax())]


def _linear(colour: str) -> FloatArray:
    """Red, green and blue as amounts of light, from 0 to 1."""
    channels = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def _hexadecimal(lightness: float, chroma: float, hue: float) -> str | None:
    """``#RRGGBB``; None for a colour that no screen has."""
    lab = (lightness, chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue)))
    light = np.linalg.solve(_TO_LMS, np.linalg.solve(_TO_OKLAB, lab) ** 3)
    if light.min() < 0.0 or light.max() > 1.0:
        return None
    channels = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1.0 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * channel):02X}" for channel in channels.tolist())


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
            own = max(free, key=lambda colour: min(_apart(colour, other) for other in others))
        found[j] = own
    return found


def _apart(one: str, other: str) -> float:
    return float(((oklab(one) - oklab(other)) ** 2).sum())
