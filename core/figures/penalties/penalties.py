"""The penalties of one weight: price (Fig. 1 of Laporte et al. 2014), pull (Table II), prox, and tangents."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.penalties.penalty_shape import PenaltyShape, majoriser, penalty_methods, penalty_of, penalty_shape
from core.figures.look.drawing import note
from core.figures.look.labels import names_beside
from core.figures.look.style import MUTED, NO_WORDS, method_style, silent
from core.figures.penalties.two_features import Parameters, for_the_last_row, known_penalty
from core.figures.picture import Picture, Words, option, refuse
from core.names.numbers import short
from core.penalties import Penalty

FloatArray = NDArray[np.float64]

REACH = 3.0  # weights drawn, on either side of 0
HIGHEST_SLOPE = 12.0
POINTS = 601  # odd: 0 is one of them
LEADERS = 0.06  # of the axis, from the ends of lines to their names


@dataclass(frozen=True, eq=False)
class PenaltyCurve:
    """One penalty in the figures."""

    method: str
    """Decides colour and dash."""
    title: str
    """Name at the line's end."""
    penalty: Penalty
    scale: float = 1.0
    """Factor of g, g' and the step of the prox: 1 as it is, 1/g(1) to compare shapes."""


def agreeing_at_one(curve: PenaltyCurve) -> PenaltyCurve:
    """Return the curve scaled so that g(1) = 1."""
    height = float(curve.penalty.curve(np.ones(1))[0])
    return PenaltyCurve(curve.method, curve.title, curve.penalty, 1.0 / height)


def curves_figure(curves: Sequence[PenaltyCurve], *, studied: str = "") -> go.Figure:
    """Draw g(|w|) against w. The curve of the method ``studied`` is bold, here and in the other figures."""
    w = np.linspace(-REACH, REACH, POINTS)
    figure = _lines(curves, studied, w, lambda c: c.scale * c.penalty.curve(np.abs(w)), "w = %{x:.3g}<br>g = %{y:.4g}")
    figure.update_xaxes(title="weight w")
    figure.update_yaxes(title="price g(|w|)")
    return figure


def slopes_figure(curves: Sequence[PenaltyCurve], *, studied: str = "") -> go.Figure:
    """Draw g'(|w|) against |w|. A slope beyond the top, such as that of lp, which is infinite at 0, is named."""
    # Denser towards 0, where the slopes are steep; lp is drawn from beside it.
    t = REACH * np.linspace(0.0, 1.0, POINTS) ** 2
    at_zero = {curve.title: float(_slope(curve, np.zeros(1))[0]) for curve in curves}
    steepest = max([1.0, *(slope for slope in at_zero.values() if np.isfinite(slope))])
    top = 1.08 * min(max(steepest, 3.0), HIGHEST_SLOPE)
    span = (-0.08 * top, top)  # most lines end near 0: their names have room on both sides

    def visible(curve: PenaltyCurve) -> FloatArray:
        slope = _slope(curve, t)
        return np.where(slope <= top, slope, np.nan)

    figure = _lines(curves, studied, t, visible, "|w| = %{x:.3g}<br>g' = %{y:.4g}", span)
    beyond = [f"{name} {short(slope)}" for name, slope in at_zero.items() if slope > top]
    if beyond:
        figure.add_annotation(**note(f"↑ at w = 0: {', '.join(beyond)}", 0.12, top, "left top", align="left"))
    figure.update_xaxes(title="size of the weight |w|")
    figure.update_yaxes(title="slope g′(|w|)", range=span)
    return figure


def prox_figure(curves: Sequence[PenaltyCurve], step: float, *, studied: str = "") -> go.Figure:
    """Draw prox(v) against v, with the line of no shrinkage. A jump is a gap in the line."""
    v = np.linspace(-REACH, REACH, 2 * POINTS + 1)

    def broken(curve: PenaltyCurve) -> FloatArray:
        u = curve.penalty.prox(v, step * curve.scale)
        leaps = np.flatnonzero(np.abs(np.diff(u)) > 0.06)  # many times the distance of two points
        u = u.copy()
        u[leaps + (v[leaps] < 0.0)] = np.nan  # the zero side of the leap
        return u

    figure = _lines(curves, studied, v, broken, "v = %{x:.3g}<br>prox(v) = %{y:.4g}")
    figure.add_scatter(**silent([-REACH, REACH], [-REACH, REACH], dash="dot", name="no shrinkage"))
    figure.update_xaxes(title="v before")
    figure.update_yaxes(title="prox(v) after")
    return figure


def majoriser_figure(
    curve: PenaltyCurve, touches: Sequence[tuple[str, float]], words: Words = NO_WORDS, *, reach: float
) -> go.Figure:
    """Draw a concave penalty up to a weight, and for each named weight u0 the tangent that reweighting minimises."""
    style = method_style(curve.method)
    u = np.union1d(np.linspace(0.0, reach, POINTS), [touch for _, touch in touches])
    g = curve.penalty.curve(u)
    figure = go.Figure()
    figure.add_scatter(
        x=u, y=g, mode="lines", name=curve.title, line={"color": style.colour, "width": 4},
        hovertemplate="u = %{x:.3g}<br>g(u) = %{y:.4g}<extra></extra>",
    )  # fmt: skip
    ceiling = 1.45 * float(g[-1])
    for (name, touch), dash in zip(touches, ("solid", "dash"), strict=False):
        height = float(curve.penalty.curve(np.array([touch]))[0])
        line = majoriser(curve.penalty, touch, u)
        if np.isinf(line).any():  # a wall: the weight stays at 0 for good
            x, y = np.zeros(2), np.array([0.0, ceiling])
        else:
            x, y = u, line
        figure.add_scatter(
            x=x, y=y, mode="lines", name=f"tangent at {name}", line={"color": MUTED, "width": 2.5, "dash": dash},
            hovertemplate="u = %{x:.3g}<br>tangent %{y:.4g}<extra>" + name + "</extra>",
        )  # fmt: skip
        figure.add_scatter(
            x=[touch], y=[height], mode="markers+text", name=f"touches at {name}", text=[f" {name}"],
            textposition="bottom right", marker={"size": 13, "color": style.colour, "symbol": style.marker},
            hovertemplate="u0 = %{x:.4g}<extra>" + name + "</extra>",
        )  # fmt: skip
    figure.update_xaxes(title="size of the weight u", range=[-0.03 * reach, reach])
    figure.update_yaxes(title="price", range=[-0.12 * ceiling, ceiling])
    return for_the_last_row(figure, words)


def _slope(curve: PenaltyCurve, t: FloatArray) -> FloatArray:
    return curve.scale * curve.penalty.weights(t)


def _lines(
    curves: Sequence[PenaltyCurve],
    studied: str,
    x: FloatArray,
    heights: Callable[[PenaltyCurve], FloatArray],
    hover: str,
    span: tuple[float, float] | None = None,
) -> go.Figure:
    """Draw one line a penalty with its name at its end, the studied one last and bold."""
    figure = go.Figure()
    values = {curve.method: heights(curve) for curve in curves}
    for curve in sorted(curves, key=lambda c: c.method == studied):
        style = method_style(curve.method)
        figure.add_scatter(
            x=x, y=values[curve.method], mode="lines", name=curve.title,
            line={"color": style.colour, "dash": style.dash, "width": 5 if curve.method == studied else 2.5},
            hovertemplate=hover + f"<extra>{curve.title}</extra>",
        )  # fmt: skip
    if not curves:
        return figure
    drawn = np.concatenate(list(values.values()))
    low, high = span or (float(np.nanmin(drawn)), float(np.nanmax(drawn)))
    ends = [(float(x[-1]), float(values[curve.method][-1])) for curve in curves]
    right = float(x[-1]) + LEADERS * float(x[-1] - x[0])
    named = [curve.title for curve in curves], [method_style(curve.method) for curve in curves]
    for leader, name in names_beside(ends, *named, right, low, high, gap=0.055):
        figure.add_scatter(**leader)
        figure.add_annotation(**name)
    figure.update_xaxes(range=[float(x[0]), right])
    return figure


Look = Literal["price", "pull", "prox"]
CHARTS: Mapping[Look, str] = {"price": "penalty_curves", "pull": "penalty_slopes", "prox": "prox"}


@dataclass(frozen=True, eq=False)
class Penalties:
    """The penalties, and their numbers."""

    curves: Mapping[str, PenaltyCurve]
    """By method."""
    shapes: Mapping[str, PenaltyShape]


@dataclass(frozen=True, eq=False)
class PenaltyCurves(Picture[Penalties]):
    """Draw the penalties: the price of a weight, the pull towards 0, or one step of the proximal operator.

    The table has a row a penalty.

    Parameters
    ----------
    studied : str
        Id of the method whose penalty is bold.
    look : {"price", "pull", "prox"}
    parameters : mapping, optional
        Of the penalties, by method and name; otherwise `Parameter.shown`.
    step : float
        Of the proximal operator.
    together : bool
        Whether all are scaled to agree at a weight of 1.
    """

    studied: str = "log"
    _: KW_ONLY
    look: Look = option("price", titles={look: look for look in CHARTS}, looks=True)
    parameters: Mapping[str, Parameters] | None = option(None)
    step: float = option(0.5)
    together: bool = option(False)

    name = "penalty_curves"
    topic = "Penalties: the {0.look} of a weight"

    @property
    def chart_key(self) -> str:
        return CHARTS[self.look]

    def check(self) -> None:
        super().check()
        for method in (self.studied, *(self.parameters or {})):
            known_penalty(method)
        refuse(not self.step > 0.0, f"step is above 0, not {self.step}")
        _ = self._curves

    @property
    def _curves(self) -> list[PenaltyCurve]:
        given = self.parameters or {}
        shown = {m: {one.name: one.shown for one in penalty_of(m, {}).parameters} for m in penalty_methods()}
        return [PenaltyCurve(m.id, m.title, penalty_of(m, {**own, **given.get(m.id, {})})) for m, own in shown.items()]

    def result(self, needed: Mapping[str, Any]) -> Penalties:
        curves = {c.method: agreeing_at_one(c) if self.together else c for c in self._curves}
        return Penalties(
            curves, {method: penalty_shape(c.penalty, self.step * c.scale) for method, c in curves.items()}
        )

    def rows(self, found: Penalties) -> pd.DataFrame:
        curves, shapes = found.curves.values(), found.shapes
        return pd.DataFrame(
            {
                "penalty": [c.title for c in curves],
                "g(1)": [f"{c.scale * shapes[c.method].at_one:.4g}" for c in curves],
                "g′(0)": [short(c.scale * shapes[c.method].slope_at_zero) for c in curves],
                "g′(1)": [f"{c.scale * shapes[c.method].slope_at_one:.4g}" for c in curves],
                "dropped up to |v|": [f"{shapes[c.method].threshold:.4g}" for c in curves],
                "v = 3 becomes": [f"{_shrunk(c, self.step, 3.0):.4g}" for c in curves],
            }
        )

    def words(self, found: Penalties) -> Words:
        curve, shape = found.curves[self.studied], found.shapes[self.studied]
        curve_words = {"price": "The price g(|w|) of a weight", "pull": "The pull g′(|w|) towards 0"}
        drawn = curve_words.get(self.look, f"The proximal operator, step {short(self.step)}")
        sentence = prox_sentence(curve, shape, self.step) if self.look == "prox" else price_sentence(curve, shape)
        return self.titled(sentence, drawn, drawn)

    def drawing(self, found: Penalties, words: Words) -> go.Figure:
        curves = list(found.curves.values())
        if self.look == "prox":
            figure = prox_figure(curves, self.step, studied=self.studied)
        else:
            figure = (curves_figure if self.look == "price" else slopes_figure)(curves, studied=self.studied)
        return for_the_last_row(figure, words)


def price_sentence(curve: PenaltyCurve, shape: PenaltyShape) -> str:
    """Say how hard a penalty pulls at small weights and at large ones."""
    zero, one = curve.scale * shape.slope_at_zero, curve.scale * shape.slope_at_one
    if curve.penalty.convex:
        if zero == 0.0:
            return f"{curve.title} hardly pulls at a small weight: its pull is 0 at w = 0, so no weight becomes 0"
        return f"{curve.title} pulls every weight towards 0 with the same force, {short(one)}, large or small"
    at_zero = "without limit" if math.isinf(zero) else short(zero)
    at_one = "not at all" if one == 0.0 else "gently"
    return f"{curve.title} shrinks small weights hard ({at_zero}), large ones {at_one} ({short(one)} at 1)"


def prox_sentence(curve: PenaltyCurve, shape: PenaltyShape, step: float) -> str:
    """Say which weights one step drops, and what becomes of a large one."""
    after = _shrunk(curve, step, 3.0)
    far = "stays 3" if after > 2.9995 else f"becomes {after:.3g}"
    if shape.threshold == 0.0:
        return f"One step of {curve.title} drops nothing; v = 3 {far}"
    leap = f" (just above, it leaps to {shape.leap:.2g})" if shape.leap else ""
    return f"One step of {curve.title} drops everything up to |v| = {shape.threshold:.2g}{leap}; v = 3 {far}"


def _shrunk(curve: PenaltyCurve, step: float, v: float) -> float:
    """Return what a weight becomes by one step."""
    return float(curve.penalty.prox(np.array([v]), step * curve.scale)[0])
