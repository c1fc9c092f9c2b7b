"""Who is asking: one browser, across its tabs and reloads, or a session where no cookie tells the browser."""

from __future__ import annotations

import hashlib

import streamlit as st

from pages.shared.server.tickets import BROWSER, SECRET_BYTES
from pages.shared.server.visits import session_id


def visitor_id() -> str:
    """A digest that only this browser can bring about: its secret is in a cookie that the server gave it at random."""
    return hashlib.sha256(f"visitor {_secret() or session_id()}".encode()).hexdigest()[:32]


def is_known() -> bool:
    """Whether this browser is told again after a reload."""
    return bool(_secret())


def _secret() -> str:
    """What the server's cookie holds; empty where there is none, or no server."""
    try:
        secret = st.context.cookies.get(BROWSER)
    except (AttributeError, RuntimeError):
        return ""
    return secret if isinstance(secret, str) and len(secret) >= SECRET_BYTES else ""  # a test's context has no strings
