"""What the page of budgets asks: the step, the measure, the budget, and which methods may compete."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.figures.tradeoff.axes import COST, Across
from pages.shared.choice import link
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import choose_limit, measure_control
from pages.views.ten.models import BudgetOptions, offered, quick

RULES, BUDGET, MORE, SUFFERING, OUT = "rules", "budget", "one more", "who suffers", "out"
STEPS = {
    RULES: "With rules?",
    BUDGET: "How well do few rank?",
    MORE: "Is one more better?",
    SUFFERING: "Who loses?",
    OUT: "Use this model",
}
"""What the page can be asked, by its name in the address."""
_STEP = "ten_step"
_LIMIT = "ten_limit"
_UNIT = "ten_unit"
_COST = "ten_cost"
DEFAULT_COST_SHARE = 0.2  # of the cost of all features
LIMIT_WIDTH = 160  # pixels


def controls(choice: Loaded) -> BudgetOptions:
    """Draw the controls, which fill the row of tools."""
    step = link.one_of(
        "Step",
        STEPS,
        begins=BUDGET,
        key=_STEP,
        persist_state="session",
        help="Step by step: rules for features, how many you can afford, what one more would bring, "
        f"{'what it costs' if choice.nouns.by_class else 'which queries lose'}, and the model to export.",
    )
    costs = choice.rules.every_cost
    unit = _unit(priced=bool(np.ptp(costs) > 0.0))
    limit: float
    if unit == "cost":
        limit = _cost_limit(float(costs.sum()))
    else:
        limit = choose_limit(
            "Features at most", choice, key=_LIMIT, bind="query-params", persist_state="session", width=LIMIT_WIDTH
        )
    with st.popover("More", key="ten_more", help="The measure that judges models, and the methods that compete"):
        measure = measure_control(choice, "Quality", key="ten_measure", help="It also chooses the models.")
        everything = st.toggle(
            f"All {len(offered())} methods",
            key="ten_all",
            bind="query-params",
            persist_state="session",
            help="Adds the infinite push and truncated gradient, whose paths may take minutes. Otherwise only the "
            f"{len(quick())} sparse penalties of RankSVM.",
        )
    across = Across(COST if unit == "cost" else "features kept", len(costs), True, tuple(costs.tolist()))
    return BudgetOptions(step, measure, unit, limit, across, offered() if everything else quick())


def _unit(*, priced: bool) -> str:
    """Features are counted, or their costs are added up where they have any."""
    if not priced:
        return "features"
    how = "Count features, or add up their costs."
    return link.one_of("Budget by", ["features", "cost"], key=_UNIT, persist_state="session", help=how)


def _cost_limit(whole: float) -> float:
    return float(
        st.number_input(
            "At most this cost",
            min_value=0.0,
            value=float(f"{DEFAULT_COST_SHARE * whole:.2g}"),
            key=_COST,
            bind="query-params",
            persist_state="session",
            format="%g",
            label_visibility="collapsed",
            width=LIMIT_WIDTH,
            help=f"The total cost of the kept features; all features cost {whole:g}.",
        )
    )
