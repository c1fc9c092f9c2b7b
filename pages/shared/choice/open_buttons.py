"""Buttons that open a model on the other pages."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.shared import keys
from pages.shared.button import button
from pages.shared.choice.c import ratio_query

PAGES = {
    "fit": ("Fit", ":material/show_chart:"),
    "path": ("Path", ":material/timeline:"),
    "features": ("Features", ":material/extension:"),
}


def open_buttons(prefix: str, take: Callable[[], None] | None, *, help: str) -> None:
    """Draw one button a page.

    Parameters
    ----------
    prefix : str
        Prefix of the buttons' keys.
    take : callable or None
        Makes the model that of every page; called before the sidebar is drawn. None where there is no model to open.
    help : str
    """
    for page, (title, icon) in PAGES.items():
        if button(
            f"Open on {title}",
            key=f"{prefix}_{page}",
            icon=icon,
            disabled=take is None,
            on_click=_open,
            args=(take, page),
            help=help,
        ):
            st.switch_page(f"pages/{page}.py", query_params=ratio_query())


def _open(take: Callable[[], None] | None, page: str) -> None:
    if take is not None:
        take()
        if page == "fit":
            st.session_state[keys.AUTOSTART] = True
