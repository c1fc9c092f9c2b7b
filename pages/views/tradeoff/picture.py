"""The picture of the Trade-off page on one fold, and what the page draws: measure, axis, methods, limit."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.analysis.best_subset.yardstick import BEST
from core.analysis.path import PathPoint
from core.analysis.path_views import FoldPath, nearest_point
from core.analysis.tradeoff.tradeoff import DENSE, TradeoffPoint, tradeoff_points
from core.content import Series
from core.figures.drag.hand import Hand
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import COST, HORIZONTALS, Across
from core.figures.tradeoff.picture import FitTimes, TradeoffPicture
from core.figures.tradeoff.tradeoff import View
from core.methods import METHODS, get_method
from core.metrics import describe_convention
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.shared import following, frame, hidden
from pages.shared.choice import address
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.measures import choose_limit, measure_control
from pages.shared.choice.menu import IDS, menu_title
from pages.shared.choice_noise_panel import margin_control
from pages.shared.following import take_released
from pages.shared.show import option_control, show_chosen
from pages.shared.work.paths import complete, known_points, told_best
from pages.views.tradeoff.folds import FoldOptions, fold_options, folds_control


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


_K = "k"
_TRADEOFF_METHODS = "tradeoff_methods"
TITLES = {method.id: method.title for method in METHODS}
SPARSE = tuple(method_id for method_id in IDS if get_method(method_id).sparse and method_id != BEST)
"""Methods with a curve along C; that of the best subset is along the number of features."""
SHOWN_FIRST = ("l1", "log", "mcp", "l0.5")
LIMIT_WIDTH = 110  # pixels


@dataclass(frozen=True)
class TradeoffOptions:
    """What the page is to draw.

    Attributes
    ----------
    view : View
    methods : sequence of str
        Ids, in the menu's order; none where nothing is picked.
    limit : int
        The largest number of features wanted.
    folds : FoldOptions or None
        How all folds are drawn; None where it is the chosen one only.
    margin : float
        Within which two methods are equivalent.
    """

    view: View
    methods: Sequence[str]
    limit: int
    folds: FoldOptions | None
    margin: float


def controls(choice: Loaded) -> TradeoffOptions:
    """Draw the controls, which fill a row of the page's."""
    measure = measure_control(
        choice, "Quality", key="tradeoff_measure", help="It also chooses the models.", compact=True
    )
    methods = hidden.shown(_methods(choice))
    limit = choose_limit("Features at most", choice, key=_K, bind="query-params", width=LIMIT_WIDTH)
    over_folds = folds_control(choice)
    with st.popover("More", key="tradeoff_more", help="The horizontal axis, how folds are drawn, and the margin"):
        across = _across(choice, priced=not over_folds)
        folds = fold_options() if over_folds else None
        margin = margin_control()
    view = View(list(choice.fold.parts())[-1], measure, across, choice.convention)
    return TradeoffOptions(view, methods, limit, folds, margin)


def _across(choice: Loaded, *, priced: bool) -> Across:
    """What is across; the cost of features where they have costs, on one fold."""
    costs = choice.rules.every_cost
    offered = [*HORIZONTALS, *([COST] if priced and np.ptp(costs) > 0.0 else [])]
    horizontal = option_control(TradeoffPicture, "against", among=offered, label="visible")
    log = option_control(TradeoffPicture, "log_across")
    return Across.over(horizontal, choice.judge.usable_features, log, costs.tolist())


def _methods(choice: Choice) -> list[str]:
    """Which methods to draw; in the address by their ids."""
    if _TRADEOFF_METHODS not in st.session_state:
        linked = [method for method in st.query_params.get(_TRADEOFF_METHODS, "").split(",") if method in SPARSE]
        first = [method for method in SPARSE if method in (*SHOWN_FIRST, choice.method_id)]
        st.session_state[_TRADEOFF_METHODS] = linked or first
    with st.popover(_methods_words(st.session_state[_TRADEOFF_METHODS]), key="tradeoff_methods_more"):
        picked = st.pills(
            "Methods",
            SPARSE,
            selection_mode="multi",
            format_func=menu_title,
            key=_TRADEOFF_METHODS,
            persist_state="session",
            help="Each is fitted along its path of 50 values of C. The sidebar's method uses the parameters set there, "
            "the others their defaults.",
        )
    methods = [method for method in SPARSE if method in (picked or ())]
    address.write(_TRADEOFF_METHODS, ",".join(methods))
    return methods


def _methods_words(picked: Sequence[str]) -> str:
    """The first two by name."""
    names = [TITLES[method] for method in SPARSE if method in picked]
    return f"Methods: {', '.join([*names[:2], *['…'] * (len(names) > 2)]) or 'none'}"
