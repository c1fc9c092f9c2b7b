"""Which measures tell models apart on the chosen data, and the control that picks one."""

from __future__ import annotations

import streamlit as st

from core.data import RankingData
from pages.shared.choice.choice import Loaded

OF_LISTS = ("NDCG@10", "MAP", "Top")
OF_ONE_LIST = ("Top", "MAP", "NDCG@10")  # the first ten of one long list are soon all relevant


def measures_of(choice: Loaded) -> tuple[str, ...]:
    """The measures to offer, the most telling first."""
    return measures_for(choice.fold.train)


def measures_for(data: RankingData) -> tuple[str, ...]:
    """The measures to offer for data of this kind, the most telling first."""
    return OF_ONE_LIST if data.n_queries == 1 else OF_LISTS


def measure_control(
    choice: Loaded, label: str, *, key: str, help: str, compact: bool = False, more: tuple[str, ...] = ()
) -> str:
    """One of the measures, in the address; the first of another kind of data where the choice has gone over to it.

    ``more`` is what a page has beside the measures; its help explains it.
    """
    offered = measures_of(choice) + more
    seen = f"{key}_offered"
    if st.session_state.get(seen, offered) != offered:
        st.session_state[key] = offered[0]
    st.session_state[seen] = offered
    picked = st.segmented_control(
        label,
        offered,
        default=offered[0],
        required=True,
        key=key,
        bind="query-params",
        help=f"{help} {EXPLAINED}",
        label_visibility="collapsed" if compact else "visible",
    )
    return picked or offered[0]


EXPLAINED = (
    "MAP is the mean over queries of average precision; NDCG@10 looks at the ten first documents and at how relevant "
    "they are; Top is the share of relevant documents above every irrelevant one."
)
