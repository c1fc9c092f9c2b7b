"""The picture of one fit: its convergence, and beside it the weights of its model."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from core.analysis.convergence import Optimum
from core.figures.fit.convergence import Axes, convergence_drawing
from core.figures.fit.convergence_picture import ConvergencePicture, begun_words, fit_curve
from core.figures.fit.slopes import SLOPES_EXPLAINED
from core.figures.fit.weights_picture import WeightsPicture, weights_figure
from core.figures.fit.words import optimum_words
from core.figures.picture import Words, said
from core.methods import Fit
from pages.shared import headline
from pages.shared.choice.choice import Loaded
from pages.shared.differences import optimum_of
from pages.shared.headline import Shown
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.show import show_chosen
from pages.shared.wording import kept_words
from pages.views.fit import compare
from pages.views.fit.fit_view import FitView, fit_view

BARS = 14  # as many as stand beside the convergence chart


def fit_picture(choice: Loaded, fit: Fit, drawn: Axes, *, running: bool) -> None:
    """Convergence, and the weights beside it."""
    now = headline.describe(choice, fit)
    optimum = optimum_of(choice, choice.training) if drawn.y == "suboptimality" else Optimum()
    with main_picture():
        left, right = st.columns([3, 2])
    view = None if running else fit_view(now)
    with left:
        if running:
            _live_convergence(now, drawn, optimum)
        else:
            _convergence(now, drawn, optimum, view)
    with right:
        if running:
            _live_weights(now)
        else:
            _weights(now, view)
    if drawn.slopes:
        st.caption(SLOPES_EXPLAINED)


def _convergence(now: Shown, drawn: Axes, optimum: Optimum, view: FitView | None) -> None:
    """Of the present run; runs pinned beside it have their own scripts."""
    choice = now.choice
    picture = ConvergencePicture(
        now.model,
        against=drawn.x,
        quantity=drawn.y,
        log_across=drawn.log_x,
        log_up=drawn.log_y,
        slopes=drawn.slopes,
        where=choice.where,
        beside=compare.pinned_curves(now, drawn.y),
        same=_same(now, drawn),
    )
    show_chosen(
        picture,
        choice,
        known={"optimum": optimum},
        hand=view.hand if view is not None and drawn.y == "certificate" else None,
        fill=True,
    )


def _live_convergence(now: Shown, drawn: Axes, optimum: Optimum) -> None:
    result = now.fit.result
    title = f"Step {result.steps:,}: objective {result.objective:.6g}"
    solver = now.choice.method.solver(now.fit.solver).title
    reference = optimum_words(optimum) if drawn.y == "suboptimality" else ""
    words = Words(title, said(now.where, solver, begun_words(now.fit), reference))
    curves = [*compare.pinned_curves(now, drawn.y), fit_curve(now.fit, "", optimum)]
    figure = convergence_drawing(curves, drawn, words)
    live_chart(
        figure.update_layout(uirevision=_same(now, drawn)).figure(), "convergence", alt=title, script="", fill=True
    )


def _same(now: Shown, drawn: Axes) -> str:
    """As long as it stays the same, so does the zoom."""
    return f"{now.choice.key} {drawn}"


def _weights(now: Shown, view: FitView | None) -> None:
    if view is None:
        show_chosen(WeightsPicture(now.model, most=BARS, where=now.where), now.choice, fill=True)
    else:
        view.draw_weights(now, BARS)


def _live_weights(now: Shown) -> None:
    fit, kept = now.fit, kept_words(now.fit)
    bars: go.Figure = weights_figure(fit, Words(kept, now.where), BARS)
    live_chart(bars, "weights", alt=kept, script="", fill=True)
