"""Labelled vertical lines through both plots of a panel: the chosen C and the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.figures.look.style import MUTED
from core.figures.path.axes import Across, Axes, on_axis

Drawn = dict[str, Any]  # a shape or an annotation as plotly has it
LETTER, ASIDE = 5.2, 3  # pixels: the mean width of a letter, and from a line to its words


@dataclass(frozen=True)
class LabelledLine:
    """A model on the horizontal axis.

    Attributes
    ----------
    words : str
        Beside the line, at its upper end; none where it is empty. Lines of words are parted by ``<br>``.
    x : float
        Position in the axis' own units, even on a logarithmic axis.
    dash : str
    """

    words: str
    x: float
    dash: str

    def lines(self, axes: Axes) -> list[Drawn]:
        """Draw one line through the weights and one through the measure."""
        line = {"dash": self.dash, "color": MUTED, "width": 1.8}
        ends = {"type": "line", "name": self.words, "x0": self.x, "x1": self.x, "y0": 0, "y1": 1, "line": line}
        pairs = ((axes.x, axes.y), (axes.x_metric, axes.y_metric))
        return [{**ends, "xref": x_axis, "yref": f"{y_axis} domain"} for x_axis, y_axis in pairs]

    def label(
        self, axes: Axes, view: Across, reach: Sequence[float], width: float, others: Sequence[LabelledLine]
    ) -> Drawn:
        """Draw the words on a side of the line where they meet no other line; empty words where there is none.

        Parameters
        ----------
        axes, view
            As for the line.
        reach : sequence of float
            Both ends of the axis.
        width : float
            Pixels of the plot on a tablet.
        others : sequence of LabelledLine
            The other lines of the panel.
        """
        left, right = reach
        x = on_axis(self.x, view)
        at, *lines = ((place - left) / (right - left) for place in (x, *(on_axis(other.x, view) for other in others)))
        needed = (LETTER * max(map(len, self.words.split("<br>"))) + ASIDE) / width
        free = {
            "left": min([at, *(at - line for line in lines if line <= at)]),
            "right": min([1.0 - at, *(line - at for line in lines if line >= at)]),
        }
        side = max(free, key=lambda name: free[name])
        return {
            "text": self.words if free[side] >= needed else "",
            "font": {"size": 12},
            "x": x,
            "xref": axes.x,
            "xanchor": "right" if side == "left" else "left",
            "xshift": -ASIDE if side == "left" else ASIDE,
            "y": 1.0,
            "align": "right" if side == "left" else "left",
            "yref": f"{axes.y} domain",
            "yanchor": "top",
            "showarrow": False,
        }
