"""Dialogs, and whether one is open: while it is, a page that something else than a person would run again waits.

A run of the whole page takes an open dialog out of the document and puts another in its place. A file that is being
chosen in it, or words that are being typed, would be lost; a dialog that opens at a click would not come back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal, ParamSpec

import streamlit as st

_OPEN = "dialog_is_open"
Given = ParamSpec("Given")


def begin_run() -> None:
    """Note that a run of the whole page begins: no dialog is open until it is called."""
    st.session_state[_OPEN] = False


def is_open() -> bool:
    """Whether this visitor has a dialog open."""
    return bool(st.session_state.get(_OPEN))


def dialog(
    title: str,
    *,
    icon: str | None = None,
    width: Literal["small", "medium", "large"] = "small",
    on_dismiss: Callable[[], None] = lambda: None,
) -> Callable[[Callable[Given, None]], Callable[Given, None]]:
    """Return a decorator like ``st.dialog`` of which `is_open` knows; ``on_dismiss`` is called when it is closed."""

    def dismissed() -> None:
        st.session_state[_OPEN] = False
        on_dismiss()

    def decorate(draw: Callable[Given, None]) -> Callable[Given, None]:
        drawn = st.dialog(title, icon=icon, width=width, on_dismiss=dismissed)(draw)

        @wraps(draw)
        def shown(*args: Given.args, **kwargs: Given.kwargs) -> None:
            st.session_state[_OPEN] = True
            drawn(*args, **kwargs)

        return shown

    return decorate
