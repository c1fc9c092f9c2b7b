"""The picture of the Trade-off page: quality against the number of features, on one fold."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

import numpy as np
import streamlit as st

from core.analysis.fold_models import FoldPath
from core.analysis.path import PathPoint
from core.analysis.path_views import nearest_point
from core.analysis.tradeoff.tradeoff import DENSE, TradeoffPoint, tradeoff_points
from core.content import Series
from core.figures.drag.hand import Hand
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.fit_times import FitTimes
from core.figures.tradeoff.picture import TradeoffPicture
from core.figures.tradeoff.tradeoff import View
from core.metrics import describe_convention
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.shared import following, frame
from pages.shared.choice.choice import Loaded
from pages.shared.following import take_released
from pages.shared.show import show_chosen
from pages.shared.work.paths import complete, known_points, told_best


def tradeoff_picture(
    choice: Loaded,
    known: Mapping[str, Series[PathPoint]],
    view: View,
    limit: int,
    on_click: Callable[[], None],
    *,
    ready: bool,
) -> None:
    """Draw the curves of one fold; nothing is compared before it is ready.

    Parameters
    ----------
    known : mapping
        Points of the paths by method, that of all features among them.
    limit : int
        The largest number of features wanted.
    on_click : callable
        What a click on a point calls.
    """
    dense = _fold_path(choice, known[DENSE]) if ready and known[DENSE] else None
    picture = TradeoffPicture(
        [_fold_path(choice, points) for method, points in known.items() if points and method != DENSE],
        measure=view.measure,
        part=view.part,
        dense=dense,
        limit=limit,
        against=view.across.horizontal,
        log_across=view.across.log,
        costs=_costs(view),
        where=choice.where,
        hint="● the chosen C, drag its line · click a point to use its model",
        current=_current(choice),
        complete=ready,
    )
    found = show_chosen(
        picture,
        choice,
        hand=_hand(choice, known, view),
        page_of=choice,
        on_click=on_click,
        on_release=lambda: take_released("tradeoff"),
        main=True,
    )
    assert found is not None, "what it needs is known"
    name = choice.fold.train.feature_names[found.alone.selected[0]]
    dense_words = "" if found.whole is None else f"ℓ2 at C = {short(found.whole.c)}, picked on the same part, and "
    st.caption(
        f"Lines: the model that {PART_TITLES[found.picks]} picks with at most so many features; they may fall on other "
        "parts. ★ the pick within the limit; grey band: no pick in it is clearly different from ★; ○ the chosen model. "
        f"Grey lines: {dense_words}the feature that ranks the training part best alone, "
        f"{in_markdown(name)}. Click a point, or drag the line along the curve of the chosen method, to use its model "
        f"on every page. {describe_convention(choice.convention, choice.nouns)}"
    )


def times_picture(choice: Loaded, known: Mapping[str, Series[PathPoint]], view: View, *, ready: bool) -> None:
    """Draw the solver time of every fit; the methods' times are compared once all are there."""
    picture = FitTimes(
        [_fold_path(choice, points) for method, points in known.items() if points and method != DENSE],
        measure=view.measure,
        part=view.part,
        against=view.across.horizontal,
        log_across=view.across.log,
        costs=_costs(view),
        where=choice.where,
        complete=ready,
    )
    show_chosen(picture, choice)
    st.caption(
        "Solver time on this machine for each model of a path. A convex method starts from the previous model, any "
        "other from the ℓ1 model at its λ, whose own time is not counted."
    )


def _fold_path(choice: Loaded, points: Series[PathPoint]) -> FoldPath:
    return FoldPath(points, choice.fold, choice.convention)


def _costs(view: View) -> tuple[float, ...]:
    """The costs of features where they differ."""
    costs = view.across.costs
    return tuple(costs) if costs and np.ptp(costs) > 0.0 else ()


def _hand(choice: Loaded, drawn: Container[str], view: View) -> Hand | None:
    """The path of the chosen method; None where it is not among those drawn, or not complete."""
    points = known_points(choice, choice.method_id)
    if not points or choice.method_id not in drawn or not complete(choice, [choice.method_id]):
        return None
    shown = frame.model()
    now = nearest_point(points, choice.lam) if shown is None else shown.point
    return following.hand_of(
        choice,
        points,
        now,
        best=told_best(points, view.measure),
        readings=lambda frame: following.readings(choice, frame),
    )


def _current(choice: Loaded) -> TradeoffPoint | None:
    """The model of the sidebar's choice; None while there is none, or where it is empty."""
    now = frame.model()
    if now is None:
        return None
    return next(iter(tradeoff_points([now.point], choice.judge.usable_features)), None)
