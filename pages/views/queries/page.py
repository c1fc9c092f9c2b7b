"""The Queries page: the list of any query under two models, and which queries gain or lose."""

from __future__ import annotations

import streamlit as st

from pages.shared import frame, keys, panels
from pages.shared.choice import access
from pages.views.queries.compared import choose_compared
from pages.views.queries.every import every_query
from pages.views.queries.one import one_query
from pages.views.queries.place import EVERY, ONE, choose_look, choose_query, part_of, place_of


def render() -> None:
    """Draw the page for the sidebar's choice."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        return
    now = frame.model()
    if now is None:
        st.info("There is no model yet for this choice. Press Fit on the Fit page, then come back.")
        return
    heading = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS)
    with tools:
        look = ONE if choice.nouns.by_class else choose_look()
        part = part_of(choice)
        data = choice.fold.parts()[part]
        query = choose_query(
            data, access.dataset(choice.source).query_texts, shown=look != EVERY and not choice.nouns.by_class
        )
        other = choose_compared(now)
    place = place_of(choice, data, part, query)
    if look == EVERY:
        every_query(now, other, place, heading, tools)
    else:
        one_query(now, other, place, heading)
