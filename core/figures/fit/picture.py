"""The pictures of one finished fit: its convergence, and its weights, beneath an axis of C where its path is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.convergence import Optimum, certified_optimum
from core.analysis.ingredient import Ingredient
from core.analysis.path import PathPoint
from core.figures.drag.drag import MODEL, Dot, Drag, Hand, Mark, still, weight_bars
from core.figures.fit.convergence import LEAST, Curve, CurvesPicture, across, ending_words
from core.figures.look.drawing import upright
from core.figures.look.labels import of_features, row_labels
from core.figures.look.style import AXIS, CERTIFICATES, DECADES, MUTED, NO_WORDS, ZERO, layout, method_style
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import Fit, get_method
from core.methods.registry import model_title
from core.models import Model
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


MOST = 1e30  # of a certificate on a log axis


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

    model: Model
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
            {"step": at.step, "objective": at.objective, at.certificate.kind: at.certificate.relative}
            | {"among models": at.certificate.among, "features": at.nonzero, "seconds": at.seconds}
            | {"passes": at.passes, "inside a round": at.provisional}
            for at in self.model.fit.result.trace
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
    name = f"{model_title(method, fit.parameters)}, {method.solver(fit.solver).title}"
    return Curve(name, fit.method, fit.result.trace, ending, optimum.bound)


def begun_words(fit: Fit) -> str:
    """Where a fit has begun; empty where that was at zero."""
    return "started from a model of the path" if fit.result.trace[0].nonzero else ""


def certificate_drag(hand: Hand, place: float) -> Drag:
    """Return a dot in a picture of the certificate, seen while the reader drags, at the ``place`` of the last step."""
    up = hand.along(lambda frame: min(max(frame.certificate.relative, LEAST), MOST))
    dot = Dot(across=still(place), up=up, shown="dragged", colour=hand.colour, size=MODEL)
    return Drag(hand=hand, picture="certificate", dots=[dot])


STRIP = 0.86  # of the height, where the axis of C begins
BARS = 0.75  # and where the bars beneath it end
HALF = 0.4  # of a row: half the height of a bar
GHOST = 0.25  # opacity of the bars at rest, seen behind those that move with C


def weights_figure(fit: Fit, words: Words = NO_WORDS, most: int = 40) -> go.Figure:
    """Draw bars of the non-zero weights, largest on top: at most so many, the others are then only in the table."""
    weights = fit.weights
    chosen = np.flatnonzero(weights)
    order = chosen[np.argsort(-np.abs(weights[chosen]), kind="stable")][:most][::-1]
    figure, axes = _bars(fit, order.tolist(), [1.0 if weights[j] > 0 else 0.6 for j in order])
    figure.update_layout(axes)
    left_out = len(chosen) - len(order)
    words = replace(words, subtitle=said(words.subtitle, smaller_words(left_out)))
    return layout(figure, words, height=130 + 24 * max(len(order), 3))


def _bars(fit: Fit, upwards: Sequence[int], opacity: float | list[float]) -> tuple[go.Figure, dict[str, Any]]:
    """Bars of the weights of these features (columns from 0), from the bottom up, and their axes."""
    names, rows = fit.feature_names, [f"{j + 1}" for j in upwards]
    bars = go.Bar(
        x=[float(fit.weights[j]) for j in upwards],
        y=rows,
        orientation="h",
        marker={"color": method_style(fit.method).colour, "opacity": opacity},
        **of_features(names, upwards, "weight %{x:.6g}"),
    )
    labels = row_labels(names, upwards)
    return go.Figure(bars), {
        "xaxis": ZERO | {"title": "weight"},
        "yaxis": {"type": "category", "automargin": True, "tickvals": rows, "ticktext": labels},
    }


def smaller_words(count: int) -> str:
    """Say how many weights have no bar; nothing where all have one."""
    return f"the table below has {counted(count, 'smaller weight')}" if count > 0 else ""


def rows_of(weights: NDArray[np.float64], points: Sequence[PathPoint], most: int) -> list[int]:
    """Choose columns (from 0) for rows, at most so many: the model's, largest first, then others by the path."""
    along = np.max([np.abs(point.fit.weights) for point in points], axis=0)
    order = np.lexsort((-along, -np.abs(weights)))
    return [int(j) for j in order if weights[j] or along[j]][:most]


@dataclass(frozen=True, eq=False)
class WeightsPicture(Picture[int]):
    """Draw the weights of a model, the largest first. The table has a row for each feature that is kept.

    Parameters
    ----------
    model : Model
    most : int
        Largest number of rows drawn.
    """

    model: Model
    _: KW_ONLY
    most: int = option(40, looks=True)
    along: Sequence[PathPoint] = aside(())
    best: float | None = aside(None)
    measure: str = aside("")
    same: str = aside("")

    name = "weights"

    def subject(self) -> str:
        return f"Weights of {get_method(self.model.fit.method).title}"

    def result(self, needed: Mapping[str, Any]) -> int:
        """The number of features."""
        return len(self.model.fit.weights)

    def rows(self, found: int) -> pd.DataFrame:
        fit = self.model.fit
        kept = fit.selected
        return pd.DataFrame(
            {"feature": kept + 1, "name": [fit.feature_names[j] for j in kept], "weight": fit.weights[kept]}
        )

    def words(self, found: int) -> Words:
        title = kept_words(self.model.fit)
        if not self.along:
            return Words(title, self.where_words, title)
        more = self.model.fit.result.nonzero - self.most
        left_out = smaller_words(more)
        thin = "" if self.best is None else "thin line: best on validation"
        subtitle = said(left_out, "drag the line to another C", thin)
        return Words(title, subtitle, f"{title}. A handle moves C along the path.")

    def drawing(self, found: int, words: Words) -> go.Figure:
        fit = self.model.fit
        if not self.along:
            return weights_figure(fit, words, self.most)
        rows, points = self._drawn, self.along
        figure, axes = _bars(fit, rows[::-1], GHOST)
        figure.add_scatter(
            x=[point.fit.c for point in points],
            y=[point.fit.result.nonzero for point in points],
            xaxis="x2",
            yaxis="y2",
            mode="lines",
            line={"color": MUTED, "width": 1, "shape": "hv"},
            fill="tozeroy",
            fillcolor="rgba(138,143,152,0.18)",
            hovertemplate="C = %{x:.3g}: %{y} features kept<extra></extra>",
        )
        ends = [float(point.fit.weights[j]) for point in points for j in rows] + [float(fit.weights[j]) for j in rows]
        low, high = min([0.0, *ends]), max([0.0, *ends])
        air = 0.03 * ((high - low) or 1.0)
        first, last = np.log10([points[0].fit.c, points[-1].fit.c]).tolist()
        beyond = 0.02 * (last - first)
        laid = layout(figure, words)
        laid.update_layout(
            xaxis=axes["xaxis"] | {"range": [low - air, high + air], "anchor": "y"},
            yaxis=axes["yaxis"] | {"domain": [0.0, BARS], "range": [-0.5, len(rows) - 0.5]},
            xaxis2=DECADES | {"anchor": "y2", "tickprefix": "C ", "showtickprefix": "first",
                              "gridcolor": AXIS["gridcolor"], "range": [first - beyond, last + beyond]},
            yaxis2={"domain": [STRIP, 1.0], "showticklabels": False, "showgrid": False, "rangemode": "tozero",
                    "zeroline": False, "fixedrange": True, "title": {"text": "kept", "standoff": 4}},
            uirevision=self.same,
        )  # fmt: skip
        if self.best is not None:
            line = {"color": method_style(fit.method).colour, "width": 1.0}
            laid.add_shape(**upright(self.best, line, "x2", "y2"))
        return laid

    def moves(self, found: int, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        """A line on the axis of C, and the bars beneath it."""
        upwards = self._drawn[::-1]
        line = Mark(across=hand.along(lambda frame: frame.c), x="xaxis2", y="yaxis2")
        bars = weight_bars(hand, upwards, HALF)
        return Drag(hand=hand, picture=f"weights {upwards}", marks=[line], bars=bars, measure=self.measure)

    @property
    def _drawn(self) -> list[int]:
        """Columns (from 0) of the features that have a row, from the top down."""
        return rows_of(self.model.fit.weights, self.along, self.most)
