"""The picture of one fit: its convergence, and beside it the weights of its model."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from core.api.solver_tables import weights_table
from core.api.tables import trace_table
from core.export.scripts.choosing import weights_script
from core.export.scripts.solving import convergence_script
from core.figures.fit.convergence import Curve, convergence_figure, ending_words
from core.figures.fit.slopes import SLOPES_EXPLAINED
from core.figures.fit.weights import weights_figure
from core.figures.look.style import CERTIFICATES, short
from core.methods import Fit
from pages.shared import headline, scripts
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.wording import exact_words, kept_words
from pages.views.fit import compare
from pages.views.fit.axes import Axes
from pages.views.fit.fit_view import fit_view

BARS = 14  # as many as stand beside the convergence chart


def fit_picture(choice: Loaded, fit: Fit, drawn: Axes, *, running: bool) -> None:
    """Convergence, and the weights beside it."""
    optimum, reference = _optimum(choice, fit) if drawn.y == "suboptimality" else (None, "")
    solver = choice.method.solver(fit.solver).title
    curve = Curve(
        name=f"{choice.title}, {solver}",
        method=choice.method_id,
        trace=fit.result.trace,
        ending="" if running else ending_words(fit.result),
        optimum=optimum,
    )
    usable = int(choice.judge.usable_features.sum())
    begun = " · started from a model of the path" if fit.result.trace[0].nonzero else ""
    title = _curve_title(fit, running=running)
    view = None if running else fit_view(choice, fit)
    with main_picture():
        left, right = st.columns([3, 2])
    with left:
        moves = view if drawn.y == "certificate" else None
        pinned = compare.pinned_curves(headline.describe(choice, fit), drawn.y)

        def figure() -> go.Figure:
            picture = convergence_figure(
                [*pinned, curve],
                x=drawn.x,
                y=drawn.y,
                log_x=drawn.log_x,
                log_y=drawn.log_y,
                slopes=drawn.slopes,
                title=title,
                subtitle=f"{choice.where} · {solver}{begun}{reference}",
            )
            return picture.update_layout(uirevision=f"{choice.key} {drawn}")

        of = (choice.key, choice.where, fit, drawn, title, reference, optimum, tuple(headline.pins()))
        live_chart(
            figure,
            "convergence",
            alt=title,
            of=None if running else (of, None if moves is None else moves.models),
            table=None if running else lambda: trace_table(fit),
            script="" if running else lambda: _script(choice, fit, drawn),
            drag=None if moves is None else lambda: moves.certificate(fit.result.trace[-1], drawn.x),
            fill=True,
        )
    with right:
        kept = kept_words(fit, usable)

        def script() -> str:
            described = scripts.model_of(choice, fit)
            return "" if running else weights_script(scripts.chosen_data(choice), described, most=BARS)

        if view is not None:
            view.draw_weights("Weights", BARS, fit, script)
        else:
            bars = weights_figure(fit.weights, fit.feature_names, fit.method, most=BARS, title=kept, subtitle="weights")
            live_chart(bars, "weights", alt=kept, table=lambda: weights_table(fit), script=script, fill=True)
    if drawn.slopes:
        st.caption(SLOPES_EXPLAINED)


def _script(choice: Loaded, fit: Fit, drawn: Axes) -> str:
    """Of the present run; runs pinned beside it have their own."""
    return convergence_script(
        scripts.chosen_data(choice),
        scripts.model_of(choice, fit),
        against=drawn.x,
        show=drawn.y,
        log_across=drawn.log_x,
        log_up=drawn.log_y,
        slopes=drawn.slopes,
    )


def _curve_title(fit: Fit, *, running: bool) -> str:
    result = fit.result
    objective = f"{result.objective:.6g}"
    if running:
        return f"Step {result.steps:,}: objective {objective}"
    found = result.certificate
    bound = f"{CERTIFICATES[found.kind]} {short(found.relative)} of {found.share_of} {found.among}".rstrip()
    return f"Objective {objective} after {result.steps:,} steps, {bound}"


def _optimum(choice: Loaded, fit: Fit) -> tuple[float | None, str]:
    certified = access.certified_optimum(
        choice.training,
        choice.method_id,
        choice.lam,
        choice.parameters,
        choice.rules_for(choice.method_id),
    )
    if certified is None:
        return None, " · F* is the last value of this run: no bound of the optimum is known"
    bound, certificate = certified
    among = f" among models {certificate.among}" if certificate.among else ""
    return bound, f" · F* is {exact_words(certificate.relative)}{among}"
