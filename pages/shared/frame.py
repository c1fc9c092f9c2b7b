"""The frame around every page: page settings, navigation, and the sidebar with the choice all pages share."""

from __future__ import annotations

import threading
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.data import DataError
from core.methods import EmptyOptimumError
from pages.shared import headline, keys
from pages.shared.choice import access, history, presets, sidebar
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.work.board import board

_PAGES = Path(__file__).resolve().parents[1]
_inside = threading.local()


def main() -> None:
    """Draw the frame and run the page that the address names inside it."""
    st.set_page_config(
        page_title="Sparse Ranking Lab",
        page_icon="📐",
        layout="wide",
        menu_items={
            "About": "Sparse Ranking Lab: sparse learning to rank, from a file to a model with its certificate."
        },
    )
    # Streamlit leaves six rem above every page; a strip that is always there belongs at the top.
    st.html("<style>[data-testid=stMainBlockContainer]{padding-top:4rem}</style>")
    page = st.navigation(
        [
            st.Page(_PAGES / "start.py", title="Start", icon="🏁", default=True),
            _page("data", "Data", "🗂️"),
            _page("fit", "Fit", "📉"),
            _page("path", "Path", "🛤️"),
            _page("features", "Features", "🧩"),
            _page("tradeoff", "Trade-off", "⚖️"),
            _page("top", "Top of the list", "🏔️"),
            _page("methods", "Methods", "🧪"),
            _page("reproduce", "Reproduce", "🔬"),
            _page("penalties", "Penalties", "🎓"),
            _page("numbers", "How numbers are made", "🧮"),
        ]
    )
    chosen: Loaded | None = None
    with st.sidebar:
        history.controls()
        presets.panel()
        try:
            chosen = sidebar.choose()
            history.remember()
        except DataError as error:
            st.session_state[keys.NO_CHOICE] = error
            if isinstance(error, EmptyOptimumError):  # an answer, not a fault: one may go back to it
                history.remember()
    if trouble := board().trouble:
        st.warning(f"{trouble} The first fits take longer, or fail with the same; the server's log has more.", icon="🛠️")
    st.session_state[keys.CHOICE] = None if chosen is None else chosen.alone
    if chosen is not None:
        headline.strip(headline.shown(chosen, quick=page.url_path != "fit"))
    _inside.page, _inside.choice = True, chosen
    try:
        page.run()
    finally:
        _inside.page, _inside.choice = False, None


def _page(name: str, title: str, icon: str) -> StreamlitPage:
    """A page whose address is the name of its file: on a cold server a deep link is looked for by that name."""
    return st.Page(_PAGES / f"{name}.py", title=title, icon=icon, url_path=name)


def entered() -> bool:
    """True where a page runs inside the frame.

    On a cold server a deep link makes Streamlit run the page's file without ``app.py``; then the frame is drawn here,
    with the page in it, and the caller has nothing left to do.
    """
    if getattr(_inside, "page", False):
        return True
    main()
    return False


def choice() -> Loaded | None:
    """What the sidebar has chosen; None where nothing can be fitted, which `panels.no_choice` explains.

    On a page it is what has been loaded for the page; in a callback or a fragment of its own it is looked up again.
    """
    if getattr(_inside, "page", False):
        loaded: Loaded | None = _inside.choice
        return loaded
    chosen: Choice | None = st.session_state.get(keys.CHOICE)
    return None if chosen is None else access.load(chosen)
