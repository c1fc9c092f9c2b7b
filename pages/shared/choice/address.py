"""What pages write to the address, so that a link restores them."""

from __future__ import annotations

import streamlit as st


def write(key: str, value: str) -> None:
    """Have the address say so. Where it does, nothing is sent: every message costs the server and the browser work."""
    if st.query_params.get_all(key) != [value]:
        st.query_params[key] = value
