"""What a run of the protocol came to, section by section, and the report to keep."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.endings import REASON_OF, ended_words, uncertified_first_stage
from core.data import Convention, DataError, Reading
from core.experiments.results.run import Run
from core.experiments.results.summary import measure_columns, tied_measures
from core.experiments.results.tables import quality_table, sparsity_table
from core.experiments.run.cells import Cell
from core.experiments.run.learners.registry import get_learner
from core.experiments.run.protocol import TESTED, CellResult
from core.export import protocol_tables as tables
from core.export.files import zip_of
from core.export.protocol_report import report_files
from core.figures.fit.convergence import Curve, convergence_drawing
from core.figures.look.style import Words, certificate_label, seconds
from core.figures.protocol.sparsity import ProtocolSpider, ProtocolTime
from core.methods import get_method
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.choice import access, address
from pages.shared.choice.choice import Source
from pages.shared.choice.use_model import open_buttons, use_model
from pages.shared.controls import csv_button, download, picked_row
from pages.shared.lazy import lazy_expander
from pages.shared.live_chart import live_chart
from pages.views.reproduce.controls import ProtocolOptions, commands, reference_control
from pages.views.reproduce.data import page_name
from pages.views.reproduce.run import compared, draw_table, features, show_picture, single_scores


def cells_section(run: Run) -> None:
    """The table, in which a row can be selected, and the buttons that open it elsewhere."""
    cells = [cell for cell in run.plan.cells if cell in run.results and not cell.draw]
    tied = tied_measures(run.lines)
    table = pd.DataFrame([_row(cell, run.results[cell].record, run.titles, tied) for cell in cells])
    number = st.column_config.NumberColumn
    cell = picked_row(
        table,
        cells,
        key="reproduce_cells",
        formats={
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
    )
    nothing = (False, "Select a row to open its model on another page.")
    opens, said = nothing if cell is None else openable(cell, run)
    with st.container(horizontal=True, vertical_alignment="center"):
        open_buttons(
            "reproduce",
            partial(take, cell, run) if cell is not None and opens else None,
            help="Uses this cell's dataset, fold, method, parameters and C on every page.",
        )
        icon, help = ":material/save:", "All cells with all digits"
        csv_button(table, "protocol-cells", key="reproduce_csv_cells", icon=icon, help=help)
        st.caption(said, width="stretch")
    if cell is not None:
        _trace(cell, run.results[cell], run.titles[cell.choice.label])


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


def openable(cell: Cell, run: Run) -> tuple[bool, str]:
    """Whether the other pages can show a cell's model, and a sentence on it: why not, or what differs there."""
    source, result = run.plan.source(cell.dataset), run.results[cell]
    name = page_name(source)
    try:
        if name is None:
            msg = "its dataset is no longer in the sidebar"
            raise DataError(msg)
        digest = st.session_state.get(keys.MY_UPLOADS, {}).get(name, "")
        data = Source(name, digest, source.reading)
        refuse_unlike(cell, result, source.reading, has_classes=access.classes(data) is not None)
        convention = access.dataset(data).convention
    except DataError as error:
        return False, f"{str(error)[:1].upper()}{str(error)[1:]}."
    said = f"{run.titles[cell.choice.label]} on {cell.dataset}, fold {cell.fold}, is selected."
    return True, " ".join(filter(None, [said, what_differs(cell, result.record, convention)]))


def refuse_unlike(cell: Cell, result: CellResult, reading: Reading, *, has_classes: bool) -> None:
    """Refuse in a sentence what the other pages do not have."""
    if not result.linear:
        title = get_learner(cell.choice.method).title
        msg = f"{title} is not a linear model, so the other pages cannot show it"
        raise DataError(msg)
    if not result.record["C"]:
        msg = "the empty model is optimal at every λ here, so there is no C to open"
        raise DataError(msg)
    if reading.repeats is not None and not has_classes:
        msg = "the other pages split such a file only once, so they do not have this fold"
        raise DataError(msg)
    if reading.repeats is not None and (reading.seed != 0 or reading.split is not None or cell.fold > access.REPEATS):
        msg = (
            f"the other pages have only the first {access.REPEATS} splits with the usual seeds and shares, and this "
            "one is different"
        )
        raise DataError(msg)


def what_differs(cell: Cell, record: Mapping[str, Any], convention: Convention) -> str:
    """Say how the model on the other pages differs; "" if it is the same."""
    notes = []
    if cell.convention != convention:
        notes.append(f"The cell uses the {cell.convention} convention; the other pages use {convention}.")
    if record["stop"] != "converged" and get_method(cell.choice.method).path_start != "zero":
        notes.append(
            f"The cell's fit ended with “{record['stop']}”, so a fit from another start ends at a slightly "
            "different model."
        )
    return " ".join(notes)


def _trace(cell: Cell, result: CellResult, title: str) -> None:
    """Draw how the chosen model was fitted, from the store; nothing is fitted again."""
    record, trace = result.record, result.trace
    if not trace or not record["lambda"]:  # the empty model is optimal at every λ: nothing converges
        return
    ended = ended_words(record) + _first_stage(record.get("first_stage"))
    curve = Curve(name=title, method=record["method"], trace=trace, ending=ended, optimum=None)
    found = record["certificate"]
    bound = f"{certificate_label(found['kind'], found['unit'], found['among'])} {short(found['relative'])}"
    exact = f"{ended}, {bound} · {record['passes']:,.0f} passes over X"
    words = f"{title}: {record['nonzero']} features after {record['steps']:,} steps and {seconds(record['seconds'])}"
    figure = convergence_drawing([curve], words=Words(words, f"{cell.dataset}, fold {cell.fold} · {exact}"))
    rows = [{"step": p.step, "seconds": p.seconds, "objective": p.objective} for p in trace]
    live_chart(figure.figure(), "reproduce_trace", alt=words, table=pd.DataFrame(rows))


def take(cell: Cell, run: Run) -> None:
    """Make the cell's model the choice of every page."""
    source, record, method = run.plan.source(cell.dataset), run.results[cell].record, get_method(cell.choice.method)
    name = page_name(source)
    use_model(
        c=record["C"],
        method_id=method.id,
        parameters=record["parameters"],
        solver_id=record["solver"],
        tol=method.stop.tol,
        source=None if name is None else Source(name, reading=source.reading),
        fold_number=cell.fold,
    )


def results_sections(run: Run, wanted: ProtocolOptions) -> None:
    """The tables and pictures, one section at a time, and the report."""
    reasons: dict[str, list[Cell]] = {}
    for cell, failure in run.problems.items():
        if cell not in run.results:
            reasons.setdefault(failure.sentence, []).append(cell)
    for sentence, cells in reasons.items():
        where = ", ".join(dict.fromkeys(f"{cell.dataset} {run.titles[cell.choice.label]}" for cell in cells))
        st.warning(f"{where}: {in_markdown(sentence)} ({len(cells)} of the cells; running again retries them)")
    if not run.lines:
        st.caption(
            "For each fold a run fits a grid of C on the training part, chooses one on the validation part and "
            "measures it on the test part, as in Laporte et al. (2014, §V-C). It then shows the papers' tables IV to "
            "VI, with published numbers next to ours where there are any, the significance of every difference, and "
            "pictures."
        )
        return
    SECTIONS[address.one_of("Show", list(SECTIONS), key="reproduce_section")](run)
    _report(run, wanted)


def _results(run: Run) -> None:
    draw_table(tables.results_table(run))
    starts = tables.starts_table(run)
    if starts is not None:
        draw_table(starts)


def _quality(run: Run, measure: str) -> None:
    draw_table(quality_table(run.lines, measure, run.titles, compared(run).comparisons.with_best))


def _significance(run: Run) -> None:
    reference_control(run.plan.choices)
    table = tables.comparison_table(compared(run))
    if table is None:
        st.info("A comparison needs two methods with all folds finished.")
    else:
        draw_table(table)


def _published(run: Run) -> None:
    published = tables.published_tables(run)
    if not published:
        st.info(
            "The papers print no number for these datasets. They do for OHSUMED, MQ2007, MQ2008, and the .Gov sets "
            "(TD, HP and NP of 2003 and 2004).",
        )
        return
    reproduced = tables.reproduced_tables(run)
    if not reproduced:
        st.info(
            f"No row of this run has a published number: for that it needs a paper's settings, C chosen by "
            f"{run.plan.measure} as in the paper, and all folds. The tables below show what the papers print.",
        )
    for table in reproduced:
        draw_table(table)
    for more in published:
        title = f"{more.title}: {len(more.rows)}"
        lazy_expander(
            title, partial(draw_table, more), key=f"reproduce_printed_{more.name}", icon=":material/library_books:"
        )


def _report(run: Run, wanted: ProtocolOptions) -> None:
    said = commands(run.plan, wanted, run.reference)

    def files() -> bytes:
        return zip_of(report_files(run, said, single=single_scores(run.plan)))

    with st.container(horizontal=True, vertical_alignment="center"):
        download(
            "Report (zip)", files, "protocol-report.zip", key="reproduce_report", icon=":material/inventory_2:",
            help="One HTML page with interactive pictures, which needs no network, and every table as CSV, LaTeX and "
            "Markdown.",
        )  # fmt: skip
    st.caption("This command does the same in a terminal:")
    st.code("\n".join(map(shlex.join, said)), language="bash", wrap_lines=True)


SECTIONS: Mapping[str, Callable[[Run], None]] = {
    "Table": _results,
    "Significance": _significance,
    "Sparsity (IV)": lambda run: draw_table(sparsity_table(run.lines, run.titles)),
    "MAP (V)": lambda run: _quality(run, "MAP"),
    "NDCG@10 (VI)": lambda run: _quality(run, "NDCG@10"),
    "Published": _published,
    "Trade-off": lambda run: show_picture(ProtocolSpider(run)),
    "Time": lambda run: show_picture(ProtocolTime(run)),
    "Features": features,
    "Cells": cells_section,
}
"""What draws each section of the results, by its title."""
