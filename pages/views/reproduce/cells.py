"""Every cell of a run: what was chosen on which fold, how it came about, and its model opened on the other pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.endings import REASON_OF, ended_words, uncertified_first_stage
from core.data import DataError
from core.experiments.results.run import Run
from core.experiments.results.summary import measure_columns, tied_measures
from core.experiments.run.cells import Cell
from core.experiments.run.protocol import TESTED, CellResult
from core.experiments.run.store.stored_fit import stored_fit
from core.figures.fit.convergence import Curve, convergence_figure, ending_words
from core.figures.look.style import certificate_label, seconds
from core.methods import get_method
from core.names.tables import frame_csv
from pages.shared import keys
from pages.shared.choice import access
from pages.shared.choice.open_buttons import open_buttons
from pages.shared.choice.source import Source
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import live_chart
from pages.shared.wording import chosen_words, stop_words
from pages.views.reproduce.cell_link import CellLink, cell_link
from pages.views.reproduce.data import page_name


def cells_section(run: Run) -> None:
    """The table, in which a row can be selected, and the buttons that open it elsewhere."""
    cells = [cell for cell in run.plan.cells if cell in run.results and not cell.draw]
    tied = tied_measures(run.lines)
    table = pd.DataFrame([_row(cell, run.results[cell].record, run.titles, tied) for cell in cells])
    number = st.column_config.NumberColumn
    state = st.dataframe(
        table,
        hide_index=True,
        key="reproduce_cells",
        column_config={
            **{str(name): number(format="%.4f") for name in table if str(name).startswith(TESTED)},
            "sparsity ratio": number(format="%.3f"),
            "C": number(format="%.2e"),
            "λ": number(format="%.2e"),
            "certificate": number(
                format="%.1e", help="Bound on the distance to the optimum, in the unit of the next column"
            ),
            "of": st.column_config.TextColumn(help="Gap or residual, its unit, and among which models it holds"),
            "seconds": number(format="%.2g", help="Solver time of the whole grid"),
        },
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = [k for k in state["selection"]["rows"] if k < len(cells)]
    cell = cells[rows[0]] if rows else None
    link, said = _link(cell, run) if cell is not None else (None, "Select a row to open its model on another page.")
    with st.container(horizontal=True, vertical_alignment="center"):
        open_buttons(
            "reproduce",
            partial(_take, cell, run) if cell is not None and link is not None else None,
            help="Uses this cell's dataset, fold, method, parameters and C on every page.",
        )
        st.download_button(
            "CSV", lambda: frame_csv(table), "protocol-cells.csv", "text/csv", on_click="ignore",
            key="reproduce_csv_cells", icon=":material/save:", help="All cells with all digits",
        )  # fmt: skip
        st.caption(said, width="stretch")
    if cell is not None:
        _trace(cell, run.results[cell], run.titles[cell.choice.label])
        if link is not None:
            st.caption(f"A link to this model: [/{link.address('fit')}](/{link.address('fit')})")


def _row(cell: Cell, record: Mapping[str, Any], titles: Mapping[str, str], tied: Collection[str]) -> dict[str, object]:
    test, certificate = record["metrics"]["test"], record.get("certificate") or {}
    over_orders = record.get("expected_over_ties", {}).get("test", {})
    return {
        "dataset": cell.dataset,
        "fold": cell.fold,
        "method": titles[cell.choice.label],
        **{
            key: value
            for name in TESTED
            for key, value in measure_columns(name, test[name], over_orders.get(name, test[name]), tied).items()
        },
        "features": record["nonzero"],
        "sparsity ratio": record["sparsity_ratio"],
        "C": record["C"],
        "λ": record["lambda"],
        "certificate": certificate.get("relative"),
        "of": certificate_label(certificate["kind"], certificate["unit"], certificate["among"]) if certificate else "",
        "ended": ended_words(record) + _first_stage(record.get("first_stage")),
        "seconds": record["times"]["grid"],
    }


def _first_stage(kept: Mapping[str, Any] | None) -> str:
    return uncertified_first_stage(REASON_OF[kept["stop"]], kept["certificate"]["kind"]) if kept else ""


def _link(cell: Cell, run: Run) -> tuple[CellLink | None, str]:
    """Return the link to a cell's model, or None, and a sentence on it: why there is none, or what differs."""
    source = run.plan.source(cell.dataset)
    name = page_name(source)
    try:
        if name is None:
            msg = "its dataset is no longer in the sidebar"
            raise DataError(msg)
        digest = st.session_state.get(keys.MY_UPLOADS, {}).get(name, "")
        data = Source(name, digest, source.reading)
        has_classes = access.classes(data) is not None
        link = cell_link(cell, run.results[cell], source, access.dataset(data), name=name, has_classes=has_classes)
    except DataError as error:
        return None, f"{str(error)[:1].upper()}{str(error)[1:]}."
    said = f"{run.titles[cell.choice.label]} on {cell.dataset}, fold {cell.fold}, is selected."
    return link, " ".join(filter(None, [said, link.note]))


def _trace(cell: Cell, result: CellResult, title: str) -> None:
    """Draw how the chosen model was fitted, from the store; nothing is fitted again."""
    try:
        fit = stored_fit(result, [str(j + 1) for j in range(len(result.weights))])
    except DataError:
        return
    curve = Curve(name=title, method=fit.method, trace=fit.result.trace, ending=ending_words(fit.result), optimum=None)
    words = f"{title}: {fit.result.nonzero} features after {fit.result.steps:,} steps and {seconds(fit.result.seconds)}"
    figure = convergence_figure(
        [curve], x="steps", y="objective", log_x=False, log_y=False, title=words,
        subtitle=f"{cell.dataset}, fold {cell.fold} · {stop_words(fit)} {chosen_words(fit.result)}".rstrip(),
    )  # fmt: skip
    rows = [{"step": p.step, "seconds": p.seconds, "objective": p.objective} for p in fit.result.trace]
    live_chart(figure, "reproduce_trace", alt=words, table=pd.DataFrame(rows))


def _take(cell: Cell, run: Run) -> None:
    """Make the cell's model the choice of every page."""
    source, record, method = run.plan.source(cell.dataset), run.results[cell].record, get_method(cell.choice.method)
    name = page_name(source)
    use_model(
        c=record["C"],
        ratio=record["lambda_ratio"],
        method_id=method.id,
        parameters=record["parameters"],
        solver_id=record["solver"],
        tol=method.stop.tol,
        source=None if name is None else Source(name, reading=source.reading),
        fold_number=cell.fold,
    )
