"""What is said over a page whose data has too few queries for findings."""

from __future__ import annotations

import streamlit as st

from core.analysis.choosing import FEWEST_QUERIES
from core.names.counted import counted
from pages.shared.choice.choice import Loaded
from pages.shared.wording import PART_WORDS

_USES = {"vali": "C is chosen", "test": "models are judged"}


def few_queries_line(choice: Loaded) -> None:
    """Say that the numbers are an example, where C is chosen or models are judged on few queries."""
    parts = choice.fold.parts()
    if len({query for data in parts.values() for query in data.query_ids}) == 1:
        return  # one list, cut into parts: its documents count
    few = {part: parts[part].n_queries for part in _USES if part in parts and parts[part].n_queries < FEWEST_QUERIES}
    if not few:
        return
    used = [
        f"{_USES[part]} on {counted(count, f'{PART_WORDS[part]} query', f'{PART_WORDS[part]} queries')}"
        for part, count in few.items()
    ]
    told = f"{' and '.join(used)}: the numbers are an example, not a finding."
    st.caption(f":material/warning: {told[:1].upper()}{told[1:]}")
