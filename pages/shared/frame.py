"""The frame around every page: page settings, navigation, and the sidebar with the choice all pages share."""

from __future__ import annotations

import threading
from pathlib import Path

import streamlit as st

from core.data import DataError
from core.methods import EmptyOptimumError
from pages.shared import choice as choosing
from pages.shared import headline, history, presets
from pages.shared.choice import Choice

_PAGES = Path(__file__).resolve().parents[1]
_inside = threading.local()


def main() -> None:
    """Draw the frame and run the page that the address names inside it."""
    st.set_page_config(
        page_title="Sparse Ranking Lab",
        page_icon="📐",
        layout="wide",
        menu_items={"About": "Sparse Ranking Lab: sparse learning to rank, from a file to a certified model."},
    )
    # Streamlit leaves six rem above every page; a strip that is always there belongs at the top.
    st.html("<style>[data-testid=stMainBlockContainer]{padding-top:4rem}</style>")
    page = st.navigation(
        [
            st.Page(_PAGES / "start.py", title="Start", icon="🏁", default=True),
            st.Page(_PAGES / "data.py", title="Data", icon="🗂️", url_path="data"),
            st.Page(_PAGES / "fit.py", title="Fit", icon="📉", url_path="fit"),
            st.Page(_PAGES / "path.py", title="Path", icon="🛤️", url_path="path"),
            st.Page(_PAGES / "features.py", title="Features", icon="🧩", url_path="features"),
            st.Page(_PAGES / "tradeoff.py", title="Trade-off", icon="⚖️", url_path="tradeoff"),
            st.Page(_PAGES / "top.py", title="Top of the list", icon="🏔️", url_path="top"),
            st.Page(_PAGES / "penalties.py", title="Penalties", icon="🎓", url_path="penalties"),
        ]
    )
    with st.sidebar:
        history.controls()
        presets.panel()
        try:
            st.session_state["choice"] = choosing.choose()
            history.remember()
        except DataError as error:
            st.session_state["choice"] = None
            st.session_state["no_choice"] = error
            if isinstance(error, EmptyOptimumError):  # an answer, not a fault: one may go back to it
                history.remember()
    chosen = choice()
    if chosen is not None:
        headline.strip(headline.shown(chosen, quick=page.url_path != "fit"))
    _inside.page = True
    try:
        page.run()
    finally:
        _inside.page = False


def entered() -> bool:
    """True where a page runs inside the frame.

    On a cold server a deep link makes Streamlit run the page's file without ``app.py``; then the frame is drawn here,
    with the page in it, and the caller has nothing left to do.
    """
    if getattr(_inside, "page", False):
        return True
    main()
    return False


def choice() -> Choice | None:
    """What the sidebar has chosen; None where nothing can be fitted, which `panels.no_choice` explains."""
    chosen: Choice | None = st.session_state.get("choice")
    return chosen
