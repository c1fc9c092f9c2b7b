"""Buttons whose click is not lost.

Streamlit tells one run of a click, and breaks that run off where another message of the browser comes before the run
has reached the button. Here the click is noted when it comes in, and stays until the page has read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_CLICKED = "clicked_buttons"


def button(
    label: str,
    *,
    key: str,
    place: DeltaGenerator | None = None,
    on_click: Callable[..., None] | None = None,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    **options: Any,
) -> bool:
    """Draw a button; True in the first run that reaches it after a click.

    All arguments are those of ``st.button``, but for ``place``: where to draw it, if not here.
    """
    (place or st).button(label, key=key, on_click=_note, args=(key, on_click, args, kwargs or {}), **options)
    clicked: set[str] = st.session_state.get(_CLICKED, set())
    if key not in clicked:
        return False
    clicked.remove(key)
    return True


def forget_clicks() -> None:
    """Once a page has been drawn to its end: what it has not read is on it no more."""
    st.session_state.pop(_CLICKED, None)


def _note(key: str, on_click: Callable[..., None] | None, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    st.session_state.setdefault(_CLICKED, set()).add(key)
    if on_click is not None:
        on_click(*args, **kwargs)
