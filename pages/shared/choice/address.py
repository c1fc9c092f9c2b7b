"""Values of controls between session, address and browser, where Streamlit does not bind a control to the address.

A browser's message brings along the values of all controls. Where it has not met the last answer, these are the values
from before, and Streamlit would take them for the visitor's. So a control that a page may set itself is `versioned`: it
has a new key whenever a page has set its value, which stands in the session under a name of its own. What comes under
an older key no longer counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import streamlit as st

_SHOWN = "versioned_controls"


def write(key: str, value: str | None) -> None:
    """Have the address say so, for links; of None it says nothing.

    Where it does already, nothing is sent: every message costs the server and the browser work.
    """
    if value is None:
        st.query_params.pop(key, None)
    elif st.query_params.get_all(key) != [value]:
        st.query_params[key] = value


def read(key: str, usual: str | None = None) -> Any:
    """What the session has by this name; for a new visitor what the address says, else ``usual``."""
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key, usual)
    return st.session_state[key]


def begin(key: str, offered: Collection[str], first: str) -> None:
    """Have the session hold one of the values offered: for a new visitor what the address says, else ``first``."""
    if st.session_state.get(key) not in offered:
        named = st.query_params.get(key)
        st.session_state[key] = named if named in offered else first


def versioned(name: str, then: Callable[[], None] | None = None, *, of: str = "") -> dict[str, Any]:
    """Options of a control (key and callback) that shows ``st.session_state[name]``, where it begins, and writes it.

    ``then`` is called after the visitor has changed it. ``of`` is what the control's options are made from: others make
    another control.
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
