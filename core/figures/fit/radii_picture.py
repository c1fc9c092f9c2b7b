"""The picture of which radius of the l1 ball belongs to which lambda."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.fold_models import FoldModel
from core.analysis.radii import BallRadii, RadiusPoint
from core.figures.fit.radii import radii_figure, radii_sentence
from core.figures.picture import Picture, Words, aside, said
from core.methods import Fit, Training, get_method
from core.methods.ball import radius_of
from core.penalties import L1Ball


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
