"""Every cell of a run: what was chosen on which fold, and its model opened on the other pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.experiments.cells import Cell
from core.experiments.plan import DatasetSource, Plan
from core.experiments.protocol import TESTED, CellResult
from core.methods import get_method
from pages.shared import access
from pages.shared.c_choice import ratio_text, set_c
from pages.shared.choice import tol_key
from pages.shared.method_menu import IDS, set_parameters
from pages.shared.reproduce_data import page_name

PAGES = {"fit": ("Fit", "📉"), "path": ("Path", "🛤️"), "features": ("Features", "🧩")}


def cells_section(plan: Plan, results: Mapping[Cell, CellResult], titles: Mapping[str, str]) -> None:
    """The table, in which a row can be selected, and the buttons that open it elsewhere."""
    cells = [cell for cell in plan.cells if cell in results]
    table = pd.DataFrame([_row(cell, results[cell].record, titles) for cell in cells])
    number = st.column_config.NumberColumn
    state = st.dataframe(
        table,
        hide_index=True,
        key="reproduce_cells",
        column_config={
            **{name: number(format="%.4f") for name in TESTED},
            "sparsity ratio": number(format="%.3f"),
            "C": number(format="%.2e"),
            "λ": number(format="%.2e"),
            "certificate": number(format="%.1e", help="How far from done at most, as the Fit page explains it"),
            "seconds": number(format="%.2g", help="Solver time of the whole grid"),
        },
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = [k for k in state["selection"]["rows"] if k < len(cells)]
    cell = cells[rows[0]] if rows else None
    refusal = None if cell is None else _refusal(cell, plan.source(cell.dataset), results[cell])
    with st.container(horizontal=True, vertical_alignment="center"):
        for page, (title, icon) in PAGES.items():
            opened = st.button(
                f"Open on {title}",
                key=f"reproduce_{page}",
                icon=icon,
                disabled=cell is None or refusal is not None,
                on_click=_take,
                args=(cell, results.get(cell) if cell else None, plan, page),
                help="Makes this cell's dataset, fold, method, parameters and C those of every page.",
            )
            if opened:
                # Naming a parameter keeps the others: without any, the switch would clear those bound to widgets.
                st.switch_page(f"pages/{page}.py", query_params={"ratio": ratio_text(st.session_state["ratio_step"])})
        st.download_button(
            "CSV", lambda: table.to_csv(index=False), "protocol-cells.csv", "text/csv", on_click="ignore",
            key="reproduce_csv_cells", icon="💾", help="Every cell, every digit",
        )  # fmt: skip
        hint = "Select a row to open its model on another page."
        if cell is not None:
            hint = refusal or f"{titles[cell.choice.label]} on {cell.dataset}, fold {cell.fold}, is selected."
        st.caption(hint, width="stretch")


def _row(cell: Cell, record: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, object]:
    test, certificate = record["metrics"]["test"], record.get("certificate") or {}
    return {
        "dataset": cell.dataset,
        "fold": cell.fold,
        "method": titles[cell.choice.label],
        **{name: test[name] for name in TESTED},
        "features": record["nonzero"],
        "sparsity ratio": record["sparsity_ratio"],
        "C": record["C"],
        "λ": record["lambda"],
        "certificate": certificate.get("relative", certificate.get("value")),
        "ended": record["stop"],
        "seconds": record["times"]["grid"],
    }


def _refusal(cell: Cell, source: DatasetSource, result: CellResult) -> str | None:
    """Why a cell's model cannot be opened elsewhere; None where it can."""
    if cell.choice.method not in IDS:
        return "This row is no linear model, so the other pages have nothing to draw of it."
    if not result.record["C"]:
        return "The empty model is optimal at every λ here: there is no C to open."
    name = page_name(source)
    if name is None:
        return "Its dataset is not on this page any more."
    if source.repeats is not None and not _has_classes(name):
        return "The other pages split such a file once only, so this fold is not known there."
    return None


def _has_classes(name: str) -> bool:
    digest = st.session_state.get("my_uploads", {}).get(name, "")
    return access.classes(name, digest) is not None


def _take(cell: Cell | None, result: CellResult | None, plan: Plan, page: str) -> None:
    """Make the cell's model that of every page; a callback, as the choice has to be made before the sidebar stands."""
    if cell is None or result is None:
        return
    source, record, method = plan.source(cell.dataset), result.record, get_method(cell.choice.method)
    state = st.session_state
    state["dataset"], state["fold"] = page_name(source), cell.fold
    state["positive"], state["group"] = source.positive or "", source.group
    state["scale"] = state["class_scale"] = source.scale
    if source.repeats is not None:
        state["division"] = "ten splits"
    state["method"], state["solver"] = method.id, record["solver"]
    state[tol_key(method)] = method.stop.tol
    set_parameters(method.id, record["parameters"])
    set_c(record["C"], record["lambda"] / record["lambda_max"] if record.get("lambda_max") else None)
    if page == "fit":
        state["autostart"] = True
