"""The picture of the convergence of one finished fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.convergence import Optimum, certified_optimum
from core.analysis.ingredient import Ingredient
from core.analysis.path_views import FoldModel
from core.figures.drag.drag import MODEL, Dot, Drag
from core.figures.drag.hand import Hand, still
from core.figures.fit.convergence import Curve, CurvesPicture, across, ending_words
from core.figures.look.style import CERTIFICATES
from core.figures.picture import Picture, Words, aside, said
from core.methods import Fit, get_method
from core.methods.registry import model_title
from core.names.counted import counted
from core.names.numbers import short
from core.names.plain import unit_words
from core.solvers import FitResult

ROUNDING = 1e-16
"""A share that is lost in double precision."""


def exact_words(relative: float) -> str:
    """How exactly the lowest objective is known, from its certificate."""
    return f"exact to {short(relative)}" if relative > ROUNDING else "exact to double precision"


def optimum_words(optimum: Optimum) -> str:
    """What the lowest objective is in a picture of a single run."""
    if optimum.certificate is None:
        return "The lowest objective is the last value of this run: no bound of the optimum is known"
    among = f" among models {optimum.certificate.among}" if optimum.certificate.among else ""
    return f"The lowest objective is {exact_words(optimum.certificate.relative)}{among}"


def ended_words(result: FitResult) -> str:
    """Where a fit has ended, after how many steps, and how exact it is."""
    found = result.certificate
    bound = f"{CERTIFICATES[found.kind]} {short(found.relative)} of {unit_words(found.share_of)} {found.among}".rstrip()
    steps = counted(result.steps, "step")
    return f"Objective {result.objective:.6g} after {steps}, {bound}"


def kept_words(fit: Fit) -> str:
    """How many of all features are kept."""
    kept = fit.result.nonzero
    return size_words(model_title(get_method(fit.method), fit.parameters), str(kept), len(fit.weights))


def size_words(title: str, size: str, n_features: int) -> str:
    """The same of a model of this title; the size is a number, or a range such as "17–21"."""
    if size == "0":
        return f"{title} keeps none of {n_features} features (the model is empty at this C)"
    return f"{title} keeps {size} of {n_features} features"


LEAST, MOST = 1e-12, 1e30  # of a certificate on a log axis


@dataclass(frozen=True, eq=False)
class ConvergencePicture(CurvesPicture, Picture[Optimum]):
    """Draw the way of the solver to a model. The table has a row a step.

    Parameters
    ----------
    model : Model
    against : {"steps", "seconds", "passes over X"}
    quantity : {"objective", "suboptimality", "certificate"}
        The objective that is minimised; how far it is above the certified lower bound of its optimum, or above its last
        value where there is none; or the certificate.
    log_across : bool
    log_up : bool, optional
        By default only the axis of the objective is not logarithmic.
    slopes : bool
        Whether the rates of theory are drawn, where the axis upwards is logarithmic.
    """

    model: FoldModel
    _: KW_ONLY
    beside: Sequence[Curve] = aside(())

    name = "convergence"

    def subject(self) -> str:
        method = get_method(self.model.fit.method)
        return f"Convergence of {method.title} with {method.solver(self.model.fit.solver).title}"

    def needs(self) -> dict[str, Ingredient[Any]]:
        if self.quantity != "suboptimality":
            return {}
        fit, fold = self.model.fit, self.model.fold
        training = self.training or get_method(fit.method).training(fold.train, fit.parameters, self.model.convention)
        return {"optimum": certified_optimum.of(training, fit.method, fit.lam, fit.parameters, self.model.rules)}

    def result(self, needed: Mapping[str, Any]) -> Optimum:
        rules_unknown = self.model.fit.under_rules and self.model.rules is None
        optimum: Optimum = Optimum() if rules_unknown else needed.get("optimum", Optimum())
        return optimum

    def rows(self, found: Optimum) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {
                    "step": point.step,
                    "objective": point.objective,
                    point.certificate.kind: point.certificate.relative,
                    "among models": point.certificate.among,
                    "features": point.nonzero,
                    "seconds": point.seconds,
                    "passes": point.passes,
                    "inside a round": point.provisional,
                }
                for point in self.model.fit.result.trace
            ]
        )

    def words(self, found: Optimum) -> Words:
        fit = self.model.fit
        title = ended_words(fit.result)
        reference = optimum_words(found) if self.quantity == "suboptimality" else ""
        solver = get_method(fit.method).solver(fit.solver).title
        at = "" if self.where else f"C = {short(fit.c)}"  # which the page shows beside it
        return Words(title, said(self.where_words, solver, at, begun_words(fit), reference), title)

    def drawing(self, found: Optimum, words: Words) -> go.Figure:
        fit = self.model.fit
        return self.curves([*self.beside, fit_curve(fit, ending_words(fit.result), found)], words)

    def moves(self, found: Optimum, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        if self.quantity != "certificate":
            return None
        return certificate_drag(hand, across(self.model.fit.result.trace[-1], self.against))


def fit_curve(fit: Fit, ending: str, optimum: Optimum) -> Curve:
    """The curve of a fit, finished or not."""
    method = get_method(fit.method)
    return Curve(
        name=f"{model_title(method, fit.parameters)}, {method.solver(fit.solver).title}",
        method=fit.method,
        trace=fit.result.trace,
        ending=ending,
        optimum=optimum.bound,
    )


def begun_words(fit: Fit) -> str:
    """Where a fit has begun; empty where that was at zero."""
    return "started from a model of the path" if fit.result.trace[0].nonzero else ""


def certificate_drag(hand: Hand, place: float, least: float = LEAST) -> Drag:
    """Return a dot in a picture of the certificate, seen while the reader drags, at the ``place`` of the last step.

    Certificates smaller than the ``least`` on the y axis stand there.
    """
    up = hand.along(lambda frame: min(max(frame.certificate.relative, least), MOST))
    dot = Dot(across=still(place), up=up, shown="dragged", colour=hand.colour, size=MODEL)
    return Drag(hand=hand, picture="certificate", dots=[dot])
