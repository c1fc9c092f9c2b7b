"""Figure of an elimination round by round: number of features, and objective."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.analysis.path_views import FoldModel
from core.figures.look.style import MUTED, layout, method_style
from core.figures.picture import Picture, Words, said
from core.methods import Fit, get_method
from core.methods.registry import model_title
from core.penalties import L2AtMost
from core.solvers import TracePoint


@dataclass(frozen=True)
class Stage:
    """The steps of a fit on one number of features: one round, or several that dropped none.

    Attributes
    ----------
    features : int
        Number of features left.
    first_step, last_step : int
    objective : float
        Objective at the end of the stage.
    """

    features: int
    first_step: int
    last_step: int
    objective: float


def stages(trace: Sequence[TracePoint]) -> list[Stage]:
    """Return the stages of an elimination from its trace; the empty model at its start is no stage."""
    found: list[Stage] = []
    for point in trace:
        if found and point.nonzero == found[-1].features:
            found[-1] = Stage(point.nonzero, found[-1].first_step, point.step, point.objective)
        elif found or point.nonzero > 0:
            found.append(Stage(point.nonzero, point.step, point.step, point.objective))
    return found


@dataclass(frozen=True, eq=False)
class Elimination(Picture[list[Stage]]):
    """Draw how a method that drops features came to those it keeps. The table has a row for each number left.

    Parameters
    ----------
    model : Model
        Of a method that fits, drops features and fits again, such as ``"rwfs-l0"``; not an empty one.

    Raises
    ------
    ValueError
        If its method drops no features in this way, or the model is empty.
    """

    model: FoldModel

    name = "elimination"

    def check(self) -> None:
        super().check()
        fit = self.model.fit
        if not eliminates(fit):
            msg = f"{get_method(fit.method).title} does not drop features step by step, so there is nothing to draw"
            raise ValueError(msg)
        if not stages(fit.result.trace):
            msg = "the model is empty, so no feature was dropped on the way to it"
            raise ValueError(msg)

    def subject(self) -> str:
        return f"Elimination by {get_method(self.model.fit.method).title}"

    def result(self, needed: Mapping[str, Any]) -> list[Stage]:
        return stages(self.model.fit.result.trace)

    def rows(self, found: list[Stage]) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {
                    "features left": stage.features,
                    "from step": stage.first_step,
                    "to step": stage.last_step,
                    "objective": stage.objective,
                }
                for stage in found
            ]
        )

    def words(self, found: list[Stage]) -> Words:
        fit, title = self.model.fit, elimination_sentence(found)
        whose = model_title(get_method(fit.method), fit.parameters)
        return Words(title, said(self.where_words, whose, "grey: inside the rounds"), title)

    def drawing(self, found: list[Stage], words: Words) -> go.Figure:
        """Draw the number of features above and the objective below, on one axis of steps.

        Rounds are grey: their objective is that of their weights for the unscaled features. The fit of the remaining
        features is coloured.
        """
        fit = self.model.fit
        trace, style = fit.result.trace, method_style(fit.method)
        figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.08, row_heights=[0.5, 0.5])
        steps = [step for stage in found for step in (stage.first_step, stage.last_step)]
        figure.add_scatter(
            x=steps,
            y=[stage.features for stage in found for _ in range(2)],
            mode="lines",
            line={"color": style.colour, "width": 2.4, "shape": "hv"},
            hoverinfo="skip",
            row=1,
            col=1,
        )
        figure.add_scatter(
            x=[stage.first_step for stage in found],
            y=[stage.features for stage in found],
            mode="markers+text",
            marker={"size": 8, "symbol": style.marker, "color": style.colour},
            text=[f"{stage.features}" for stage in found],
            textposition="top right",
            cliponaxis=False,
            hovertemplate="%{y} features left from step %{x} on<extra></extra>",
            row=1,
            col=1,
        )
        shown = [point for point in trace if point.step >= found[0].first_step]
        settled = [point for point in shown if not point.provisional]
        rounds = [point for point in shown if point.provisional] + settled[:1]  # which lead into what is settled
        for points, colour, dash, width in ((rounds, MUTED, "dot", 1.2), (settled, style.colour, "solid", 2.4)):
            figure.add_scatter(
                x=[point.step for point in points],
                y=[point.objective for point in points],
                mode="lines+markers",
                line={"color": colour, "width": width, "dash": dash},
                marker={"size": 6, "symbol": style.marker},
                text=[f"{point.nonzero} features" for point in points],
                hovertemplate="step %{x}, %{text}<br>objective %{y:.6g}<extra></extra>",
                row=2,
                col=1,
            )
        drawn = layout(figure, words, height=460)
        drawn.update_yaxes(title="features left", rangemode="tozero", row=1, col=1)
        drawn.update_yaxes(title="Objective", row=2, col=1)
        drawn.update_xaxes(title="steps", row=2, col=1)
        return drawn


def eliminates(fit: Fit) -> bool:
    """Whether the method of a model drops features, fits again, and so on."""
    return isinstance(get_method(fit.method).make_penalty(fit.parameters, fit.c), L2AtMost)


def elimination_sentence(found: Sequence[Stage]) -> str:
    """Say in one sentence what the figure shows; there is at least one stage."""
    first, last = found[0], found[-1]
    if len(found) == 1:
        return f"All {first.features} features stay"
    drops = f"{len(found) - 1} {'drop' if len(found) == 2 else 'drops'}"
    objective = f"the objective goes from {first.objective:.4g} to {last.objective:.4g}"
    return f"{first.features} features become {last.features} in {drops}; {objective}"
