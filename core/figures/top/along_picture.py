"""The picture of the rate of positives on top along the paths of a few methods, on every part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.drag.drag import Dot, Drag
from core.figures.drag.hand import Hand
from core.figures.look.line_labels import name_ends
from core.figures.look.style import MUTED, layout, method_style
from core.figures.of_paths import OfPaths
from core.figures.path.axes import horizontal_range
from core.figures.path.lines import click_data
from core.figures.path.path_drag import along_axis, measured
from core.figures.path.tuning import PART_TITLES, metric_lines
from core.figures.picture import Words, aside, said
from core.figures.top.words import TOP, along_title
from core.methods import get_method
from core.methods.families import full_title

Paths = Mapping[str, Sequence[PathPoint]]
HEIGHT = 380
LABEL_GAP = 0.062  # of the height of the plot: a line of text


@dataclass(frozen=True, eq=False)
class TopAlong(OfPaths[Paths]):
    """Draw the share of positives on top along paths, on every part. The table has a row a model.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    """

    _: KW_ONLY
    hint: str = aside("")
    chosen: PathPoint | None = aside(None)

    name = "top_along"

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
        return {path.method: full_title(get_method(path.method)) for path in self.paths}

    def subject(self) -> str:
        return f"Positives on top along the paths of {self.names}"

    def result(self, needed: Mapping[str, Any]) -> Paths:
        return {path.method: path.points for path in self.paths}

    def rows(self, found: Paths) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {"method": self.titles[method], "C": point.fit.c, "λ/λ_max": ratio_of(point)}
                | {"features": point.fit.result.nonzero}
                | {f"{TOP}, {PART_TITLES[part]}": values[TOP] for part, values in point.metrics.items()}
                for method, points in found.items()
                for point in points
            ]
        )

    def words(self, found: Paths) -> Words:
        title = along_title(found, self.titles)
        line = "" if self.chosen is None else "line: the chosen C"
        return Words(title, said(self.where_words, line, self.hint), title)

    def drawing(self, found: Paths, words: Words) -> go.Figure:
        """Draw a line a method and part: colour shows the method, width and dash the part."""
        titles, chosen = self.titles, self.chosen
        figure = go.Figure()
        views = {method: points for method, points in found.items() if points}
        low, high = _range(views.values())
        ends = []
        for method, points in views.items():
            places = [ratio_of(point) for point in points]
            for line in metric_lines(points, TOP, places):
                part = line["name"]
                taken = click_data(points) if method == next(iter(views)) else None
                figure.add_trace(line | {"name": f"{titles[method]}, {part}", "customdata": taken})
            # Top counts ties against a document: there is one kind of it.
            for part, values in points[-1].metrics.items():
                ends.append((f"{PART_TITLES[part]} {values[TOP]:.3f}", values[TOP], method_style(method).colour))
        name_ends(figure, ends, LABEL_GAP * (high - low), low, high, size=12, xshift=4)
        names = [f'<b style="color:{method_style(method).colour}">{titles[method]}</b>' for method in views]
        figure.add_annotation(
            x=0.0, xref="paper", xanchor="left", y=1.0, yref="paper", yanchor="bottom", yshift=4,
            text=" &nbsp; ".join(names), font={"size": 14}, showarrow=False,
        )  # fmt: skip
        reach = horizontal_range(views.values(), "lambda", None if chosen is None else ratio_of(chosen))
        figure.update_xaxes(title="λ / λ_max", range=reach, type="log", exponentformat="e", dtick=1)
        figure.update_yaxes(title="Top: positives above all negatives", range=[low, high])
        if chosen is not None:
            figure.add_vline(x=ratio_of(chosen), line={"color": MUTED, "width": 1.8})
        drawn = layout(figure, words, height=HEIGHT)
        return drawn.update_layout(margin_r=124, margin_t=88, hoverdistance=12, uirevision="lambda")

    def moves(self, found: Paths, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        """Dots on the chosen method's curves; they follow the handle of another picture."""
        across = along_axis(hand, "lambda")
        parts = [part for part in PART_TITLES if part in hand.now.judgement.metrics]
        dots = [Dot(across=across, up=measured(hand, part, TOP), colour=hand.colour) for part in parts]
        return Drag(hand=hand, picture="along lambda", dots=dots)


def _range(views: Iterable[Sequence[PathPoint]]) -> tuple[float, float]:
    """Return the range of all but the lowest tenth, with a margin; the first models would flatten the rest."""
    values = [part[TOP] for points in views for point in points for part in point.metrics.values()]
    low, high = float(np.quantile(values, 0.1)), max(values)
    air = 0.05 * (high - low) or 0.05
    return low - air, high + air
