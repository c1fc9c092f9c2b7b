"""A table of the report on the page."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.experiments.results.printed_table import Table
from core.export.csv_tables import csv_text


def draw_table(table: Table) -> None:
    """As the report has it; the CSV with every digit."""
    st.markdown(f"**{table.title}**")
    st.caption(table.note)
    shown, formats = _sortable(pd.DataFrame(table.records()))
    st.dataframe(shown, hide_index=True, height="content", key=f"reproduce_table_{table.name}", column_config=formats)
    st.download_button(
        "CSV", lambda: csv_text(table.numbers), f"{table.name}.csv", "text/csv", on_click="ignore",
        key=f"reproduce_csv_{table.name}", icon=":material/save:", help="These numbers with all digits",
    )  # fmt: skip


def _sortable(printed: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Columns of numbers as numbers, with as many digits as are printed."""
    formats = {}
    for name in map(str, printed):
        numbers = pd.to_numeric(printed[name], errors="coerce")
        if numbers.notna().all():
            digits = max(len(text.partition(".")[2]) for text in printed[name])
            exponents = printed[name].str.contains("e").any()
            formats[name] = st.column_config.NumberColumn(format="%.2e" if exponents else f"%.{digits}f")
            printed = printed.assign(**{name: numbers})
    return printed, formats
