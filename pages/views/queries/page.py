"""The Queries page: why a document stands above another, and which queries another model ranks better or worse."""

from __future__ import annotations

import streamlit as st

from pages.shared import frame, keys, panels
from pages.shared.choice import access, link
from pages.views.queries.compared import best_alone, choose_compared
from pages.views.queries.every import every_query
from pages.views.queries.one import one_query
from pages.views.queries.place import EVERY, SWAP, choose_query, part_of, place_of

QUESTIONS = {SWAP: "Which one number would swap the two?", EVERY: "Which queries gain, and which lose?"}
"""What can be asked further, by its name in the address."""


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
    with st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS):
        part = part_of(choice)
        data = choice.fold.parts()[part]
        query = choose_query(data, access.dataset(choice.source).query_texts, shown=not choice.nouns.by_class)
        other = choose_compared(now)
    place = place_of(choice, data, part, query)
    every_swap = one_query(now, other, place, heading)
    asked = link.ask_further({SWAP: QUESTIONS[SWAP]} if choice.nouns.by_class else QUESTIONS, key="queries_look")
    if asked == EVERY:
        every_query(now, other or best_alone(now), place)
    elif asked == SWAP:
        every_swap()
