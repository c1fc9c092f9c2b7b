"""Which other methods stand beside the chosen one."""

from __future__ import annotations

import streamlit as st

from core.methods import get_method
from pages.shared.choice.choice import Choice
from pages.shared.choice.menu import IDS, menu_title

_FEATURES_WITH = "features_with"


def choose_methods(choice: Choice) -> list[str]:
    """The chosen method, then those to compare it with."""
    others = [method_id for method_id in IDS if method_id != choice.method_id and get_method(method_id).sparse]
    wanted = st.session_state.get(_FEATURES_WITH, ())
    st.session_state[_FEATURES_WITH] = [method_id for method_id in wanted if method_id in others]
    titles = [get_method(method_id).title for method_id in st.session_state[_FEATURES_WITH]]
    with st.popover(f"Compare with: {', '.join(titles) or 'nothing'}", key="features_beside"):
        picked = st.multiselect(
            "Compare with",
            others,
            format_func=menu_title,
            key=_FEATURES_WITH,
            persist_state="session",
            help="Other methods, with default parameters. Their paths are computed once.",
        )
    return [choice.method_id, *picked]
