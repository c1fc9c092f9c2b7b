"""The picture of the penalties of one weight: their price, their pull, or a step of their proximal operator."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.penalties.penalty_shape import PenaltyShape, penalty_methods, penalty_of, penalty_shape
from core.figures.penalties.pair_picture import Parameters, known_penalty
from core.figures.penalties.penalties import (
    PenaltyCurve,
    agreeing_at_one,
    curves_figure,
    for_the_last_row,
    prox_figure,
    slopes_figure,
)
from core.figures.picture import Picture, Words, aside, option
from core.names.numbers import short

Look = Literal["price", "pull", "prox"]
CHARTS: Mapping[Look, str] = {"price": "penalty_curves", "pull": "penalty_slopes", "prox": "prox"}


@dataclass(frozen=True, eq=False)
class Penalties:
    """The penalties, and their numbers.

    Attributes
    ----------
    curves : mapping of str to PenaltyCurve
        By method.
    shapes : mapping of str to PenaltyShape
    """

    curves: Mapping[str, PenaltyCurve]
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
        Of the penalties, by method and name; defaults otherwise.
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
    headed: bool = aside(False)

    name = "penalty_curves"

    @property
    def chart_key(self) -> str:
        return CHARTS[self.look]

    def check(self) -> None:
        super().check()
        for method in (self.studied, *(self.parameters or {})):
            known_penalty(method)
        if not self.step > 0.0:
            msg = f"step is above 0, not {self.step}"
            raise ValueError(msg)
        _ = self._curves

    def subject(self) -> str:
        return f"Penalties: the {self.look} of a weight"

    @property
    def _curves(self) -> list[PenaltyCurve]:
        given = self.parameters or {}
        return [PenaltyCurve(m.id, m.title, penalty_of(m, given.get(m.id, {}))) for m in penalty_methods()]

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
        drawn = {
            "price": "The price g(|w|) of a weight",
            "pull": "The pull g′(|w|) towards 0",
            "prox": f"The proximal operator, step {short(self.step)}",
        }[self.look]
        sentence = prox_sentence(curve, shape, self.step) if self.look == "prox" else price_sentence(curve, shape)
        return Words(drawn, "", sentence) if self.headed else Words(sentence, drawn, sentence)

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
