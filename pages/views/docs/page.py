"""The page Documentation: the files of the folder ``docs``, which need no network."""

from __future__ import annotations

import streamlit as st

from pages.shared.choice import address
from pages.shared.documents import documents, show

_DOCUMENT = "document"


def render() -> None:
    """Draw the document that is chosen; it needs no data and no model."""
    st.header("What do you want to know?", anchor=False)
    titles = documents()
    address.spell(_DOCUMENT, titles)
    name = st.selectbox(
        "Document",
        list(titles),
        key=_DOCUMENT,
        format_func=titles.__getitem__,
        bind="query-params",
        label_visibility="collapsed",
        width=420,
    )
    show(name)
