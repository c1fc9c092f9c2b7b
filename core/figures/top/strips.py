"""Figures of the top of a list as two strips, and of the positives on top over many lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.look.assembling import Part
from core.figures.look.style import MUTED
from core.names.plain import in_plotly

HEIGHT = 400
MOST_DOTS = 1200  # of a strip; the nearest to the top are drawn one by one, of the others an even sample
GOLDEN = 0.6180339887498949
SPREAD = 0.36  # of a strip, above and below its middle
POSITIVES, NEGATIVES = 1.0, 0.0
BARS = 0.8  # of the row of a share
BELOW_WORDS = 0.86  # of the height of the plot
GREY = "rgba(138,143,152,0.45)"


def on_top_words(on_top: str, positives: int) -> str:
    """Say how many positives are on top, beside the strips; the number may be a range."""
    return f"{on_top} of {positives} positives above"


def strips_range(reach: tuple[float, float]) -> tuple[float, float]:
    """Add a margin, and include the top negative."""
    low, high = min(reach[0], 0.0), max(reach[1], 0.0)
    air = 0.04 * (high - low) or 1.0
    return low - air, high + air


def strip_dots(
    name: str, heights: NDArray[np.float64], rows: NDArray[np.int64], middle: float, marker: Part, names: Sequence[str]
) -> Part:
    """Draw one strip's documents; each keeps its height in the strip for all models, so that it can be followed."""
    shown = nearest_to_top(len(rows), MOST_DOTS)
    place = rows[shown]
    centred = name == "top negative"
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "uid": name.replace(" ", "-").replace(",", ""),
        "x": heights[shown],
        "y": np.full(len(place), middle) if centred else middle + lift(place),
        "marker": {"opacity": 0.85, **marker},
        "text": [in_plotly(names[row]) for row in place],
        "hovertemplate": f"<b>%{{text}}</b><br>{name}: %{{x:+.4g}}<extra></extra>",
        "cliponaxis": True,
    }


def lift(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Where in their strip documents stand, by their place in the list: the same for all models."""
    return np.asarray(SPREAD * (2.0 * ((rows * GOLDEN) % 1.0) - 1.0))


def nearest_to_top(n: int, most: int) -> NDArray[np.int64]:
    """Return the places that are drawn of ``n`` in falling order: half of them at the top, then an even sample."""
    if n <= most:
        return np.arange(n)
    nearest = most // 2
    return np.concatenate([np.arange(nearest), np.linspace(nearest, n - 1, most - nearest).astype(np.int64)])


def upright(x: float, dash: str, name: str) -> Part:
    """A line from the bottom up to a share of the height."""
    line = {"dash": dash, "color": MUTED, "width": 1.6}
    ends = {"x0": x, "x1": x, "xref": "x", "y0": 0.0, "y1": BELOW_WORDS, "yref": "y domain"}
    return {"type": "line", "name": name, "line": line, "layer": "below", **ends}


def note(x: float, text: str, y: float, anchor: str, size: int, colour: str, above: int = 0) -> Part:
    """Words at a place of the scores, at the bottom or the top of the plot."""
    return {
        "text": text,
        "font": {"size": size, "color": colour},
        "x": x,
        "xref": "x",
        "xanchor": anchor,
        "xshift": 5 if anchor == "left" else -5,
        "y": y,
        "yref": "y domain",
        "yanchor": "top" if y == 1.0 else "bottom",
        "yshift": above,
        "showarrow": False,
    }


@dataclass(frozen=True)
class BarPlace:
    """Where a method's bar stands in the row of a share: its middle, and half its height."""

    middle: float
    half: float


def bar_places(methods: int) -> list[BarPlace]:
    """Places of the methods' bars beneath one another, the first on top."""
    half = BARS / methods / 2.0
    return [BarPlace(BARS / 2.0 - half * (2 * k + 1), half) for k in range(methods)]
