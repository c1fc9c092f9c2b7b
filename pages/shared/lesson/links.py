"""Links within the app that load no new document: ``travel.js`` follows them as Back and Forward are followed."""

from __future__ import annotations

import html

import streamlit as st


def link(words: str, address: str, *, primary: bool = False) -> None:
    """Draw one link; ``address`` is one of the app, as ``path?method=l1``."""
    st.html(link_html(words, address, primary=primary), width="content")


def link_html(words: str, address: str, *, primary: bool = False) -> str:
    """The same as HTML, for a list or a table of links."""
    look = "travel travel-first" if primary else "travel"
    return f'<a class="{look}" href="{html.escape(relative(address))}" target="_self">{html.escape(words)}</a>'


def relative(address: str) -> str:
    """An address of the app as a page of it links to it, below whatever base the server has."""
    page, mark, query = address.partition("?")
    return f"./{page}{mark}{query}"
