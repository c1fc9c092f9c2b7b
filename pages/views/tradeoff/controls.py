"""What the Trade-off page draws: measure, axis, methods, folds and the largest number of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.analysis.best_subset.yardstick import BEST
from core.figures.tradeoff.axes import COST, HORIZONTALS, Across
from core.figures.tradeoff.picture import TradeoffPicture
from core.figures.tradeoff.tradeoff import View
from core.methods import METHODS, get_method
from pages.shared import hidden
from pages.shared.choice import address
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.measures import choose_limit, measure_control
from pages.shared.choice.menu import IDS, menu_title
from pages.shared.choice_noise_panel import margin_control
from pages.shared.show import option_control
from pages.views.tradeoff.folds import FoldOptions, fold_options, folds_control

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
