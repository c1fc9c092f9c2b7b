"""The axes of the convergence picture: what is drawn, against what, and how."""

from __future__ import annotations

import streamlit as st

from core.figures.fit.convergence import HORIZONTAL, VERTICAL, Axes, Horizontal, Vertical
from core.figures.fit.slopes import SLOPES_EXPLAINED
from pages.shared.choice import address


def vertical(*, convex: bool, race: bool) -> Vertical:
    """Draw the control of what is seen; a race and a single fit keep one each.

    The address has its id rather than its title.
    """
    key = "race_y" if race else "y"
    first: Vertical = "certificate" if race else "objective"
    if st.session_state.get(key) not in VERTICAL:
        linked = st.query_params.get(key)
        st.session_state[key] = linked if linked in VERTICAL else first
    titles = {"suboptimality": "above the optimum", "certificate": "gap" if convex else "residual"}
    picked = st.segmented_control(
        "Show",
        VERTICAL,
        format_func=lambda name: titles.get(name, name),
        required=True,
        key=key,
        persist_state="session",
        label_visibility="collapsed",
        help="**Objective**: the value that the fit lowers. **Above the optimum**: how far it is above the lowest "
        "possible value, where a bound of that is known. **Gap**: how far above the optimum it can be at most; "
        "**residual**: how far the slope is from zero, where no such bound exists.",
    )
    shown: Vertical = picked or first
    address.write(key, shown)
    return shown


def axes(y: Vertical, *, race: bool) -> Axes:
    """Draw the other controls of the axes."""
    x: Horizontal = st.segmented_control(
        "Against",
        HORIZONTAL,
        default="seconds" if race else "steps",
        required=True,
        key="race_x" if race else "x",
        bind="query-params",
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
