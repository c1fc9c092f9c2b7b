"""The picture of the solver time of every fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.tradeoff.tradeoff import pareto_front
from core.figures.look.drawing import Drawing
from core.figures.look.style import MUTED, method_style, seconds
from core.figures.of_paths import OnPart
from core.figures.picture import Words, aside, option, said
from core.figures.tradeoff import words as sentences
from core.figures.tradeoff.axes import COST, HORIZONTALS, Across, Horizontal, end_labels, finish
from core.figures.tradeoff.tradeoff import Curves, View, hover, tradeoff_table


@dataclass(frozen=True, eq=False)
class FitTimes(OnPart[Curves]):
    """Draw the solver time of every fit of paths against its number of features (Laporte et al., CORIA 2014, Fig. 2).

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    measure : {"MAP", "NDCG@10", "Top"}
        By which the best model of each method is marked.
    part : {"train", "vali", "test"}, optional
        Whose value the hover tells; by default the last that the fold has.
    against : {"features kept", "sparsity ratio", "cost of features"}
    log_across : bool
    costs : sequence of float, length n_features
        For ``"cost of features"``; by default each costs 1.
    """

    _: KW_ONLY
    against: Horizontal = option("features kept", titles={name: name for name in (*HORIZONTALS, COST)}, looks=True)
    log_across: bool = option(True, looks=True)
    costs: Sequence[float] = option((), looks=True)
    complete: bool = aside(True)

    name, chart = "fit_times", "time"
    about = "Solver time of every fit"

    @property
    def view(self) -> View:
        """The quantities on the axes; the hover tells that of the part."""
        across = Across.over(self.against, self.judge.usable_features, self.log_across, self.costs)
        return View(self.shown_part, self.measure, across, self.convention)

    def result(self, needed: Mapping[str, Any]) -> Curves:
        return self.curves

    def rows(self, found: Curves) -> pd.DataFrame:
        return tradeoff_table(found, self.measure, self.fold.train.feature_names)

    def words(self, found: Curves) -> Words:
        title = sentences.time_title(found, self.measure, self.titles) if self.complete else sentences.UNFINISHED_TIMES
        large = f"large: best by {self.measure}, dotted: their mean"
        return Words(title, said(self.where_words, large), title)

    def drawing(self, found: Curves, words: Words) -> go.Figure:
        """Mark the fit that is best on the part that models are chosen on; the dotted line is the mean over these."""
        view, titles = self.view, self.titles
        figure = Drawing()
        every = [point for points in found.values() for point in points]
        ends_across = view.across.ends([view.across.of(point) for point in every])
        ends, chosen = {}, []
        for method, points in found.items():
            if not points:
                continue
            style = method_style(method)
            figure.add_scatter(
                x=[view.across.of(point) for point in points],
                y=[point.seconds for point in points],
                mode="lines+markers",
                line={"color": style.colour, "width": 1, "dash": style.dash},
                marker={"size": 6, "symbol": style.marker, "color": style.colour},
                opacity=0.6,
                name=f"{titles[method]}, every C",
                customdata=[[point.method, point.c] for point in points],
                hovertext=[hover(point, view) for point in points],
                hovertemplate=f"{titles[method]}<br>%{{hovertext}}<extra></extra>",
            )
            ends[titles[method]] = (math.log10(points[-1].seconds), style.colour)
            best = pareto_front(points, view.measure)[-1]
            chosen.append(best.seconds)
            figure.add_scatter(
                x=[view.across.of(best)],
                y=[best.seconds],
                mode="markers",
                marker={"size": 16, "symbol": style.marker, "color": style.colour},
                name=f"{titles[method]}, best",
                customdata=[[best.method, best.c]],
                hovertext=[hover(best, view)],
                hovertemplate=f"{titles[method]}, the best by {view.measure}<br>%{{hovertext}}<extra></extra>",
            )
        if chosen:
            mean = sum(chosen) / len(chosen)
            figure.add_scatter(
                x=list(ends_across), y=[mean, mean], mode="lines", name="mean of the best", hoverinfo="skip",
                line={"color": MUTED, "width": 1.2, "dash": "dot"},
            )  # fmt: skip
        ticks = [m * 10.0**e for e in range(-6, 5) for m in (1, 2, 5)]
        figure.update_yaxes(type="log", tickvals=ticks, ticktext=[seconds(tick) for tick in ticks])
        end_labels(figure, ends, [math.log10(point.seconds) for point in every])
        view.across.draw(figure, ends_across, None)
        drawn = finish(figure, "solver time of a fit", words)
        return drawn.update_layout(height=400).figure()
