"""The picture of which radius of the l1 ball belongs to which lambda."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.fold_models import FoldModel
from core.analysis.radii import BallRadii, RadiusPoint
from core.figures.look.style import MUTED, layout, method_style
from core.figures.picture import Picture, Words, aside, said
from core.methods import Fit, Training, get_method
from core.methods.ball import radius_of
from core.names.numbers import short
from core.penalties import L1Ball


def radii_sentence(points: Sequence[RadiusPoint], radius: float, c: float) -> str:
    """Say the radius of the chosen model, and how far the paper's radii reach."""
    beyond = [point.radius for point in points if point.published and not point.holds]
    start = f"C = {short(c)} is the ball ‖w‖₁ ≤ {radius:.3g}"
    return f"{start}; from r = {beyond[0]:g} on, no ball limits the model" if beyond else start


def radii_figure(
    points: Sequence[RadiusPoint], radius: float, ratio: float, *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw the radius over lambda / lambda_max, descending, with marks at the paper's radii.

    Parameters
    ----------
    points : sequence of RadiusPoint
        The result of `radii`.
    radius, ratio : float
        Values of the chosen model, at which a vertical line is drawn.
    """
    figure = go.Figure()
    style = method_style("fenchelrank")
    curve = [point for point in points if not point.published]
    marks = [point for point in points if point.published and point.holds]
    figure.add_scatter(
        x=[point.ratio for point in curve],
        y=[point.radius for point in curve],
        mode="lines",
        line={"color": method_style("l1").colour, "width": 2},
        name="‖w‖₁ of the ℓ1 model",
        hovertext=[_hover(point) for point in curve],
        hovertemplate="ℓ1 model<br>%{hovertext}<extra></extra>",
    )
    figure.add_scatter(
        x=[point.ratio for point in marks],
        y=[point.radius for point in marks],
        mode="markers+text",
        marker={"size": 11, "symbol": style.marker, "color": style.colour},
        text=[f"r = {point.radius:g}" for point in marks],
        textposition=["bottom right", *("top left" for _ in marks[1:])],  # at either edge there is no room beyond
        name="radii of the paper",
        hovertext=[_hover(point) for point in marks],
        hovertemplate="a radius of the paper<br>%{hovertext}<extra></extra>",
    )
    figure.add_scatter(
        x=[ratio], y=[radius], mode="markers", name="the chosen model",
        marker={"size": 18, "symbol": "circle-open", "color": MUTED, "line": {"width": 2, "color": MUTED}},
        hovertemplate=f"the chosen model<br>r = {radius:.4g}, λ/λ_max = {short(ratio)}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=ratio, line={"color": MUTED, "width": 1.2})
    figure.update_xaxes(title="λ / λ_max", type="log", autorange="reversed", exponentformat="e", dtick=1)
    heights = [radius, *(point.radius for point in [*curve, *marks])]
    room = [math.log10(0.7 * min(heights)), math.log10(2.2 * max(heights))]  # for the words above the highest mark
    figure.update_yaxes(title="radius r = ‖w‖₁", type="log", dtick=1, range=room)
    return layout(figure, title=title, subtitle=subtitle, height=360)


def _hover(point: RadiusPoint) -> str:
    return f"r = {point.radius:.4g}<br>C = {short(point.c)}, λ/λ_max = {short(point.ratio)}"


@dataclass(frozen=True)
class Balls:
    """Balls along lambda.

    Attributes
    ----------
    points : sequence of RadiusPoint
    radius : float
        Of the model's ball.
    """

    points: Sequence[RadiusPoint]
    radius: float


@dataclass(frozen=True, eq=False)
class RadiiPicture(Picture[Balls]):
    """Draw which radius of the l1 ball belongs to which lambda; the model's own is marked. The table has all points.

    Parameters
    ----------
    model : Model
        Of a method with a ball in place of a penalty, such as ``"fenchelrank"``.

    Raises
    ------
    ValueError
        If the model's method has no ball, or the empty model is best in every ball.
    """

    model: FoldModel
    _: KW_ONLY
    where: str = aside("")
    training: Training | None = aside(None)

    name = "radii"

    def check(self) -> None:
        super().check()
        fit = self.model.fit
        if not has_ball(fit):
            msg = f"{get_method(fit.method).title} has a penalty, not a radius"
            raise ValueError(msg)
        if fit.lam_max == 0.0:
            msg = "lambda_max is 0 on this data: the empty model is best in every ball, so no radius has a lambda"
            raise ValueError(msg)

    def subject(self) -> str:
        return f"Radii of {get_method(self.model.fit.method).title} and their lambda"

    @cached_property
    def trained_on(self) -> Training:
        """The training data of the model."""
        model = self.model
        method, parameters = get_method(model.fit.method), model.fit.parameters
        return self.training or method.training(model.fold.train, parameters, model.convention)

    def needs(self) -> dict[str, BallRadii]:
        return {"points": BallRadii(self.trained_on)}

    def result(self, needed: Mapping[str, Any]) -> Balls:
        fit = self.model.fit
        return Balls(needed["points"], fit.parameters["radius"] or radius_of(self.trained_on, fit.lam))

    def rows(self, found: Balls) -> pd.DataFrame:
        return pd.DataFrame([asdict(point) for point in found.points])

    def words(self, found: Balls) -> Words:
        title = radii_sentence(found.points, found.radius, self.model.fit.c)
        line = "line: ‖w‖₁ of the ℓ1 model, marks: the radii that the paper chooses from"
        return Words(title, said(self.where or self.model.fold.name, line), title)

    def drawing(self, found: Balls, words: Words) -> go.Figure:
        fit = self.model.fit
        ratio = fit.lam / fit.lam_max
        return radii_figure(found.points, found.radius, ratio, title=words.title, subtitle=words.subtitle)


def has_ball(fit: Fit) -> bool:
    """Whether a model's method limits its size by a radius."""
    return isinstance(get_method(fit.method).make_penalty(fit.parameters, fit.c), L1Ball)
