"""The control that picks the part of the data on which a page measures."""

from __future__ import annotations

import streamlit as st

from core.figures.path.tuning import PART_TITLES
from pages.shared.choice.choice import Loaded


def choose_part(choice: Loaded, *, key: str, help: str, compact: bool = False, first: bool = False) -> str:
    """One of the parts the data has, the last one unless ``first``; a part of other data is forgotten."""
    parts = list(choice.fold.parts())
    if st.session_state.get(key) not in (None, *parts):
        st.session_state.pop(key, None)
    picked = st.segmented_control(
        "Measured on",
        parts,
        default=parts[0 if first else -1],
        required=True,
        format_func=PART_TITLES.__getitem__,
        key=key,
        persist_state="session",
        help=help,
        label_visibility="collapsed" if compact else "visible",
    )
    return picked or parts[0 if first else -1]
