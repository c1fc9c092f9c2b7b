"""What repeats itself in the data, in a sentence each, and a button that leaves it out."""

from __future__ import annotations

import streamlit as st

from core.names.plain import in_markdown
from core.names.short import short_names
from pages.shared import keys
from pages.shared.choice import access
from pages.shared.choice.source import Source


def copies_note(source: Source, fold_number: int) -> None:
    """Draw the note; nothing where no feature and no query repeats another one."""
    names = access.fold(source, fold_number).train.feature_names
    notes = access.copies(source, fold_number).notes(short_names(names, range(len(names))))
    if not notes:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="copies"):
        st.markdown(f":material/content_copy: {' '.join(map(in_markdown, notes))}", width="content")
        st.button("Leave the copies out", key="copies_out", type="tertiary", on_click=_leave_out)


def _leave_out() -> None:
    st.session_state[keys.DROP_COPIES] = True
