"""The picture of one fit with its axes, its model's weights, and the runs that are pinned beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.convergence import Optimum
from core.analysis.path_frames import Frame
from core.figures.drag.drag import Hand
from core.figures.fit.convergence import (
    HORIZONTAL,
    SLOPES_EXPLAINED,
    VERTICAL,
    Axes,
    Curve,
    Horizontal,
    Vertical,
    convergence_drawing,
    ending_words,
)
from core.figures.fit.picture import (
    ConvergencePicture,
    WeightsPicture,
    begun_words,
    fit_curve,
    optimum_words,
    weights_figure,
)
from core.figures.look.style import certificate_label
from core.figures.picture import Words, said
from core.methods import Fit
from core.names.numbers import short
from pages.shared import following, headline
from pages.shared.choice import access, address
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.menu import measures_of
from pages.shared.controls import csv_button
from pages.shared.differences import optimum_of
from pages.shared.following import take_released
from pages.shared.headline import Pinned, Shown, pins
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.show import show_chosen
from pages.shared.wording import kept_words, reason_words, size_words, telling_part
from pages.shared.work.paths import complete, known_points, told_best


def pinned_curves(now: Shown, y: Vertical) -> list[Curve]:
    """Curves of the pinned runs, but for the one that is the present run."""

    def optimum(of: Choice) -> float | None:
        return optimum_of(of, access.training(of.method_id, of.source, of.fold_number, of.parameters)).bound

    return [
        Curve(
            name=run.name(now.where),
            method=run.fit.method,
            trace=run.fit.result.trace,
            ending=f"{run.choice.method.solver(run.fit.solver).title}: {ending_words(run.fit.result)}",
            optimum=optimum(run.choice) if y == "suboptimality" else None,
        )
        for run in pins()
        if run.choice != now.choice.alone
    ]


def comparison(runs: Sequence[Pinned]) -> pd.DataFrame:
    """One row a run: the settings in which they differ, then what came out. The last run is the present one."""
    settings = pd.DataFrame([_settings(run) for run in runs]).fillna("–")
    differing = [column for column in settings if settings[column].nunique() > 1]
    outcomes = pd.DataFrame([_outcomes(run) for run in runs])
    names = pd.Series([f"pinned {k}" for k in range(1, len(runs))] + ["now"], name="run")
    return pd.concat([names, settings[differing], outcomes], axis=1)


def _settings(run: Pinned) -> dict[str, str]:
    choice = run.choice
    return {
        "data": run.where,
        "scaling": choice.source.reading.scale,
        "penalty": choice.title,
        "solver": choice.method.solver(run.fit.solver).title,
        "C": f"{run.fit.c:.3e}",
        "λ/λ_max": short(run.fit.lam / run.fit.lam_max),
        "stop at": f"{choice.tol:.0e}",
        "features": choice.rules.words or "all on",
        **{
            p.name: p.text(value)
            for p, (_, value) in zip(choice.method.parameters, choice.parameters, strict=True)
            if p.matters(dict(choice.parameters))
        },
    }


def _outcomes(run: Pinned) -> dict[str, Any]:
    result = run.fit.result
    out: dict[str, Any] = {"features": result.nonzero, "objective": result.objective}
    for part, measures in run.point.metrics.items():
        if part != "train" or len(run.point.metrics) == 1:
            out |= {f"{part} MAP": measures["MAP"], f"{part} NDCG@10": measures["NDCG@10"]}
    found = result.certificate
    label = certificate_label(found.kind, found.share_of, found.among)
    out |= {"certificate": f"{label}: {short(found.relative)}", "ended": reason_words(result)}
    return out | {"steps": result.steps, "passes": result.passes, "seconds": result.seconds}


def compare_panel(now: Shown) -> None:
    """The table, with the way to empty it; an invitation where nothing is pinned."""
    kept = pins()
    if not kept:
        st.caption("**Pin** a run in the strip above, then change something: both are compared here and in the chart.")
        return
    st.subheader("Compared with the pinned runs", anchor=False)
    table = comparison([*kept, now])
    formats = {c: "%.4f" for c in table if str(c).endswith(("MAP", "NDCG@10"))}
    columns: dict[str, Any] = {str(c): st.column_config.NumberColumn(format=f) for c, f in formats.items()}
    st.dataframe(table, hide_index=True, key="comparison", column_config=columns)
    with st.container(horizontal=True):
        csv_button(table, "comparison")
        st.button("Unpin the last", key="unpin_last", on_click=_unpin_last, help="Unpins the run that was pinned last")


def _unpin_last() -> None:
    pins().pop()


def vertical(*, convex: bool, race: bool) -> Vertical:
    """Draw the control of what is seen; a race and a single fit keep one each."""
    own = {"suboptimality": "above the optimum", "certificate": "gap" if convex else "residual"}
    titles: dict[Vertical, str] = {name: own.get(name, name) for name in VERTICAL}
    return address.by_id(
        "Show",
        titles,
        "certificate" if race else "objective",
        key="race_y" if race else "y",
        label_visibility="collapsed",
        help="**Objective**: the value that the fit lowers. **Above the optimum**: how far it is above the lowest "
        "possible value, where a bound of that is known. **Gap**: how far above the optimum it can be at most; "
        "**residual**: how far the slope is from zero, where no such bound exists.",
    )


def axes(y: Vertical, *, race: bool) -> Axes:
    """Draw the other controls of the axes."""
    x: Horizontal = address.one_of(
        "Against",
        HORIZONTAL,
        begins="seconds" if race else "steps",
        key="race_x" if race else "x",
        label_visibility="visible",
        help="Steps; the solver's own seconds, without the time for measuring; or how often all of X was read.",
    )
    log_x = st.toggle(
        "Logarithmic horizontal axis",
        value=race,
        key="race_logx" if race else "logx",
        bind="query-params",
        help="It gives the first steps as much room as the last ones.",
    )
    log_y = st.toggle(
        "Logarithmic vertical axis",
        value=False,
        key="logy",
        bind="query-params",
        disabled=y != "objective",
        help="Gaps, residuals and distances from the optimum always have one.",
    )
    slopes = st.toggle("Theoretical slopes", value=False, key="slopes", bind="query-params", help=SLOPES_EXPLAINED)
    return Axes(y, x, log_y or y != "objective", log_x, slopes and y != "objective")


def axes_options(on: Axes) -> dict[str, Any]:
    """The axes as options of a picture."""
    return {"against": on.x, "quantity": on.y, "log_across": on.log_x, "log_up": on.log_y, "slopes": on.slopes}


BARS = 14  # as many as stand beside the convergence chart
# What is said of the fitted model pales while the reader drags to another one.
_STYLE = """<style>
.stApp:has(.st-key-chart_weights .following) .st-key-fit_status { opacity: .3; }
.st-key-chart_convergence .following .main-svg:first-of-type { opacity: .4; }
</style>"""


def fit_picture(choice: Loaded, fit: Fit, drawn: Axes, *, running: bool) -> None:
    """Convergence, and the weights beside it."""
    now = headline.describe(choice, fit)
    optimum = optimum_of(choice, choice.training) if drawn.y == "suboptimality" else Optimum()
    with main_picture():
        left, right = st.columns([3, 2])
    if running:
        with left:
            result, solver = fit.result, choice.method.solver(fit.solver).title
            title = f"Step {result.steps:,}: objective {result.objective:.6g}"
            reference = optimum_words(optimum) if drawn.y == "suboptimality" else ""
            words = Words(title, said(now.where, solver, begun_words(fit), reference))
            curves = [*pinned_curves(now, drawn.y), fit_curve(fit, "", optimum)]
            figure = convergence_drawing(curves, drawn, words).update_layout(uirevision=_same(now, drawn)).figure()
            live_chart(figure, "convergence", alt=title, script="", fill=True)
        with right:
            kept = kept_words(fit)
            live_chart(weights_figure(fit, Words(kept, now.where), BARS), "weights", alt=kept, script="", fill=True)
    else:
        hand = _hand(now)
        with left:
            picture = ConvergencePicture(
                now.model,
                **axes_options(drawn),
                where=choice.where,
                beside=pinned_curves(now, drawn.y),  # these have their own scripts
                same=_same(now, drawn),
            )
            beside = hand if drawn.y == "certificate" else None
            show_chosen(picture, choice, known={"optimum": optimum}, hand=beside, fill=True)
        with right:
            _weights(now, hand)
    if drawn.slopes:
        st.caption(SLOPES_EXPLAINED)


def _hand(now: Shown) -> Hand | None:
    """The path of a fitted model's method, along which C can be dragged; None while it is not known to its end."""
    choice = now.choice
    points = known_points(choice, choice.method_id)
    if not complete(choice, [choice.method_id]) or len(points) < 2:
        return None
    measure, part = measures_of(choice)[0], telling_part(points[0].metrics)

    def readings(shown: Frame) -> Mapping[str, str]:
        words = following.model_words(choice, shown, part, measure)
        kept = size_words(choice.title, shown.size, choice.fold.train.n_features)
        return following.readings(choice, shown, words) | {"title-weights": kept}

    return following.hand_of(choice, points, now.point, best=told_best(points, measure), readings=readings)


def _weights(now: Shown, hand: Hand | None) -> None:
    choice = now.choice
    picture = WeightsPicture(now.model, most=BARS, where=now.where)
    if hand is not None:
        st.html(_STYLE)
        points, measure = known_points(choice, choice.method_id), measures_of(choice)[0]
        best = told_best(points, measure)
        c = None if best is None else best.fit.c
        picture = replace(picture, along=points, best=c, measure=measure, same=f"fit {hand.path}")
    show_chosen(picture, choice, hand=hand, on_release=_take_released, fill=True)


def _take_released() -> None:
    """Draw the whole page: the event runs the picture's fragment alone, but strip, sidebar and address speak of C."""
    take_released("weights")
    st.rerun()


def _same(now: Shown, drawn: Axes) -> str:
    """As long as it stays the same, so does the zoom."""
    return f"{now.choice.key} {drawn}"
