"""Who is asking: one browser, across its tabs and reloads, or a session where no cookie tells the browser."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import streamlit as st

from pages.shared.server.streamlit_private import browser_cookie, session_id

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def visitor_id() -> str:
    """A digest that only this browser can bring about: its secret is in a cookie that the server gave it at random."""
    secret = _secret(browser_cookie())
    return hashlib.sha256(f"visitor {secret or session_id()}".encode()).hexdigest()[:32]


def is_known() -> bool:
    """Whether this browser is told again after a reload."""
    return bool(_secret(browser_cookie()))


def alone() -> bool:
    """Whether the server listens to this machine only and nobody stands between, so that there is one person."""
    forwarded = any(name.lower().startswith(("x-forwarded", "forwarded")) for name in st.context.headers)
    return st.get_option("server.address") in _LOOPBACK and not forwarded


def home() -> Path:
    """Where people's own things are kept: ``SPARSE_RANK_HOME``, else a folder in the home folder."""
    chosen = os.environ.get("SPARSE_RANK_HOME")
    return Path(chosen) if chosen else Path.home() / ".sparse-ranking-lab"


def _secret(cookie: str) -> str:
    """The token of a cookie of the form ``2|mask|masked token|time``, whose mask changes from page to page."""
    try:
        version, mask, masked, made = cookie.split("|")
        key, token = bytes.fromhex(mask), bytes.fromhex(masked)
    except ValueError:
        return ""
    if version != "2" or not key or len(token) < 16:
        return ""
    return bytes(byte ^ key[k % len(key)] for k, byte in enumerate(token)).hex() + made
