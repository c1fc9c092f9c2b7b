"""Controls that a page may set while their visitor presses another one.

A browser's message brings along the values of all controls. Where it has not met the last answer, these are the values
from before, and Streamlit would take them for the visitor's. So such a control has a new key whenever a page has set
its value, which stands in the session under a name of its own: what comes under an older key no longer counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_SHOWN = "versioned_controls"


def versioned(name: str, then: Callable[[], None] | None = None, *, of: str = "") -> dict[str, Any]:
    """Options of a control (key and callback) that shows ``st.session_state[name]`` and writes it.

    Parameters
    ----------
    name : str
        The control has to begin at its value.
    then : callable, optional
        Called after the visitor has changed it.
    of : str
        What the control's options are made from: others make another control.
    """
    shown: dict[str, tuple[int, str, object]] = st.session_state.setdefault(_SHOWN, {})
    number, _, value = shown.get(name, (0, "", None))
    if not number or value != st.session_state[name]:
        number += 1
    key = f"{name}~{number}{of}"
    shown[name] = number, key, st.session_state[name]
    return {"key": key, "on_change": _take, "args": (name, key, then)}


def _take(name: str, key: str, then: Callable[[], None] | None) -> None:
    """Take what the visitor has chosen, unless the page has set another value since the control was drawn."""
    shown: dict[str, tuple[int, str, object]] = st.session_state[_SHOWN]
    number, now, _ = shown[name]
    if now != key:
        return
    st.session_state[name] = st.session_state[key]
    shown[name] = number, key, st.session_state[key]
    if then is not None:
        then()
