"""Labelled vertical lines through both plots of a panel: the chosen C and the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.figures.look.style import MUTED
from core.figures.path.axes import Across, Axes, on_axis

Drawn = dict[str, Any]  # a shape or an annotation as plotly has it


@dataclass(frozen=True)
class Mark:
    """A model on the horizontal axis.

    Attributes
    ----------
    words : str
    x : float
        Position in the axis' own units, even on a logarithmic axis.
    dash : str
    foot : {"top", "bottom"}
        Position of the words.
    """

    words: str
    x: float
    dash: str
    foot: Literal["top", "bottom"]

    def lines(self, axes: Axes) -> list[Drawn]:
        """Draw one line through the weights and one through the measure."""
        line = {"dash": self.dash, "color": MUTED, "width": 1.8}
        ends = {"type": "line", "name": self.words, "x0": self.x, "x1": self.x, "y0": 0, "y1": 1, "line": line}
        pairs = ((axes.x, axes.y), (axes.x_metric, axes.y_metric))
        return [{**ends, "xref": x_axis, "yref": f"{y_axis} domain"} for x_axis, y_axis in pairs]

    def label(self, axes: Axes, view: Across, reach: Sequence[float]) -> Drawn:
        """Draw the words on the roomier side of the line, on an axis from ``reach[0]`` to ``reach[1]``."""
        left, right = reach
        x = on_axis(self.x, view)
        leftwards = (x - left) / (right - left) > 0.5
        return {
            "text": self.words,
            "font": {"size": 12},
            "x": x,
            "xref": axes.x,
            "xanchor": "right" if leftwards else "left",
            "xshift": -3 if leftwards else 3,
            "y": 1.0 if self.foot == "top" else 0.0,
            "yref": f"{axes.y} domain",
            "yanchor": self.foot,
            "showarrow": False,
        }
