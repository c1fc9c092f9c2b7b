"""The table of the Methods page, and a row of it opened on the other pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.tuning.method_bench import BenchRow
from core.figures.tradeoff.bench_table import AGAINST, CHOSEN
from core.names.tables import frame_csv
from pages.shared.choice.menu import menu_title
from pages.shared.choice.open_buttons import open_buttons
from pages.shared.choice.use_model import use_model

TABLE = "bench_table"
SPARSITY = "The sparsity ratio: features kept over features that are not zero everywhere"


def draw_table(rows: Sequence[BenchRow], table: pd.DataFrame) -> None:
    """The table, in which a row can be selected, and the buttons that open it elsewhere."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    measures = [str(column) for column in table if str(column).endswith(")")]
    formats: dict[str, Any] = {column: number(format="%.4f", width=100) for column in measures}
    formats |= {
        "method": text(pinned=True, width=115),
        "features": number(width=65, help="Features kept"),
        AGAINST: text(
            width="medium",
            help="Its value minus that of the method in the headline, with a 95 % interval over the queries "
            "where there are several. If the interval contains 0, there is no clear difference.",
        ),
        "sparsity ratio": number("sparsity", format="%.3f", width=70, help=SPARSITY),
        "seconds": number(format="%.2g", width=70, help="Solver time on this machine for all its fits"),
        "passes over X": number("passes", format="%.0f", width=65, help="How often the whole feature matrix is read"),
        "certificate": number(
            format="%.1e", width=85, help="The most by which the fit may miss its goal, as a share of what follows"
        ),
        "kind": text(
            "of",
            width=90,
            help="For instance a duality gap over the objective or a stationarity residual over λ; and among which "
            "models it holds, if not all",
        ),
        "ended": text(width="medium", help="Why it stopped, or why there is no model"),
        CHOSEN: text(
            width=105,
            help="Parameters that the validation part chose together with C; those set in the sidebar stay fixed.",
        ),
        "C": number(format="%.2e"),
        "λ/λ_max": number(format="%.2e", help="Of the method's own loss"),
        "id": None,
    }
    state = st.dataframe(
        table,
        hide_index=True,
        height="content",
        key=TABLE,
        column_config=formats,
        on_select="rerun",
        selection_mode="single-row",
    )
    picked = [rows[k] for k in state["selection"]["rows"] if k < len(rows)]
    row = picked[0] if picked and picked[0].fit is not None else None
    with st.container(horizontal=True, vertical_alignment="center"):
        open_buttons(
            "bench",
            partial(_take, row) if row is not None else None,
            help="Uses the selected row's method, parameters and C on every page.",
        )
        st.download_button("CSV", lambda: frame_csv(table), "methods.csv", "text/csv", on_click="ignore",
                           key="bench_csv", icon=":material/save:", help="The table with all digits")  # fmt: skip
        st.caption(_hint(row, bool(picked)), width="stretch")


def _hint(row: BenchRow | None, picked: bool) -> str:
    if row is not None:
        return f"{menu_title(row.method)} is selected."
    return "This method has no model to open." if picked else "Select a row to open its model on another page."


def _take(row: BenchRow) -> None:
    """Make the row's model that of every page."""
    fit = row.fit
    if fit is None:
        return
    use_model(
        c=fit.c,
        ratio=fit.lam / fit.lam_max,
        method_id=row.method,
        parameters=fit.parameters,
        solver_id=fit.solver,
    )
