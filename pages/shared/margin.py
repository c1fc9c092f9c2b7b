"""The margin within which two methods count as equivalent, one for all pages."""

from __future__ import annotations

import streamlit as st

from core.experiments.results.choice_comparison import DEFAULT_MARGIN, MOST_MARGIN
from pages.shared import keys


def margin_control() -> float:
    """Let a person set the margin."""
    return float(
        st.number_input(
            "Equivalent within ±",
            0.0,
            MOST_MARGIN,
            DEFAULT_MARGIN,
            0.005,
            key=keys.MARGIN,
            bind="query-params",
            persist_state="session",
            format="%g",
            help="A difference of MAP or NDCG@10 that makes no difference to you, as it is and not in per cent. Two "
            "methods are equivalent if the 90 % interval of their difference, the choice of C included, lies within "
            "it. That a test finds no difference does not show that there is none.",
        )
    )
