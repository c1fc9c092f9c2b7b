"""The tab that ``make run`` opens: Streamlit opens none for an app that brings its own server."""

from __future__ import annotations

import webbrowser

import streamlit as st

EVERYWHERE = ("", "0.0.0.0", "::")


def open_now() -> None:
    """Open the app in the person's browser, unless ``server.headless`` is set."""
    if not st.get_option("server.headless"):
        webbrowser.open(address())


def address() -> str:
    """Where a browser on this machine finds the app."""
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    host = str(st.get_option("server.address") or "")
    host = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}:{st.get_option('server.port')}/{(st.get_option('server.baseUrlPath') or '').strip('/')}"
