"""Links within the app that load no new document: ``travel.js`` follows them as Back and Forward are followed."""

from __future__ import annotations

import html

import streamlit as st


def link(words: str, address: str, *, primary: bool = False, told: str = "") -> None:
    """Draw one link.

    Parameters
    ----------
    words : str
    address : str
        Of the app, as ``path?method=l1``.
    primary : bool
        Whether it is the way on.
    told : str
        What is shown on hover.
    """
    st.html(link_html(words, address, primary=primary, told=told), width="content")


def link_html(words: str, address: str, *, primary: bool = False, told: str = "") -> str:
    """The same as HTML, for a line of text."""
    look = "travel travel-first" if primary else "travel"
    hover = f' title="{html.escape(told)}"' if told else ""
    return f'<a class="{look}" href="{html.escape(relative(address))}" target="_self"{hover}>{html.escape(words)}</a>'


def relative(address: str) -> str:
    """An address of the app as a page of it links to it, below whatever base the server has."""
    page, mark, query = address.partition("?")
    return f"./{page}{mark}{query}"
