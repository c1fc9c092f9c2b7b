"""Back and Forward of the browser: the address tells the choice, and what the session has kept gives way to it.

Streamlit does so for controls that it binds to the address itself, and for no others.
"""

from __future__ import annotations

import streamlit as st

from core.methods import METHODS, get_method
from pages.shared import keys
from pages.shared.choice.menu import parameter_key
from pages.shared.server.visits import travelled as travelled  # whether this run answers Back or Forward

_OURS = (keys.METHOD, keys.SOLVER, keys.C, *keys.COLUMNS, keys.DROP_COPIES, *keys.RULES, keys.RULES_OF)
"""Of the choice, written to the address by the pages themselves; where an address says nothing it means the default."""
_NOTES = (keys.RULES_SEEN, keys.RULES_NOTE, keys.LINK_NOTE)


def begin() -> None:
    """After Back and Forward, forget what the address tells; each control then reads it as on a first visit.

    What only other methods or pages use is not in the address and stays.
    """
    if not travelled():
        return
    for key in (*_OURS, *_parameters(), *_NOTES):
        st.session_state.pop(key, None)
    for key in st.query_params:
        if isinstance(st.session_state.get(key), str | bool | list):
            st.session_state.pop(key)


def _parameters() -> list[str]:
    """Names of the linked method's parameters with named values."""
    named = st.query_params.get(keys.METHOD)
    if named not in {method.id for method in METHODS}:
        return []
    return [parameter_key(named, parameter.name) for parameter in get_method(named).parameters if parameter.choices]
