"""What a run of the protocol came to, section by section, and the report to keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.experiments.results.run import Run
from core.experiments.results.tables import quality_table, sparsity_table
from core.experiments.run.cells import Cell
from core.export import protocol_tables as tables
from core.export.protocol_report import report_bytes
from core.names.plain import in_markdown
from pages.shared.choice import link
from pages.shared.lazy import lazy_expander
from pages.views.reproduce import pictures
from pages.views.reproduce.cells import cells_section
from pages.views.reproduce.command import commands, shell
from pages.views.reproduce.controls import ProtocolOptions, reference_control
from pages.views.reproduce.shown import compared, single_scores
from pages.views.reproduce.table import draw_table

SECTIONS = ("Table", "Significance", "Sparsity (IV)", "MAP (V)", "NDCG@10 (VI)", "Published", "Trade-off", "Time",
            "Features", "Cells")  # fmt: skip


def results_sections(run: Run, wanted: ProtocolOptions) -> None:
    """The tables and pictures, one section at a time, and the report."""
    _problems(run)
    if not run.lines:
        st.caption(
            "For each fold a run fits a grid of C on the training part, chooses one on the validation part and "
            "measures it on the test part, as in Laporte et al. (2014, §V-C). It then shows the papers' tables IV to "
            "VI, with published numbers next to ours where there are any, the significance of every difference, and "
            "pictures."
        )
        return
    section = link.one_of("Show", SECTIONS, key="reproduce_section")
    draw: dict[str, Callable[[], None]] = {
        "Table": lambda: _results(run),
        "Significance": lambda: _significance(run),
        "Sparsity (IV)": lambda: draw_table(sparsity_table(run.lines, run.titles)),
        "MAP (V)": lambda: _quality(run, "MAP"),
        "NDCG@10 (VI)": lambda: _quality(run, "NDCG@10"),
        "Published": lambda: _published(run),
        "Trade-off": lambda: pictures.spider(run),
        "Time": lambda: pictures.time(run),
        "Features": lambda: pictures.features(run),
        "Cells": lambda: cells_section(run),
    }
    draw[section]()
    _report(run, wanted)


def _problems(run: Run) -> None:
    """Warn about failed cells, once for every reason."""
    reasons: dict[str, list[Cell]] = {}
    for cell, failure in run.problems.items():
        if cell not in run.results:
            reasons.setdefault(failure.sentence, []).append(cell)
    for sentence, cells in reasons.items():
        where = ", ".join(dict.fromkeys(f"{cell.dataset} {run.titles[cell.choice.label]}" for cell in cells))
        st.warning(f"{where}: {in_markdown(sentence)} ({len(cells)} of the cells; running again retries them)")


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
    """Offer everything in one file, and the command that makes the same."""
    said = commands(run.plan, wanted, run.reference)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Report (zip)", lambda: _report_files(run, said), "protocol-report.zip", "application/zip",
            on_click="ignore", key="reproduce_report", icon=":material/inventory_2:",
            help="One HTML page with interactive pictures, which needs no network, and every table as CSV, LaTeX and "
            "Markdown.",
        )  # fmt: skip
    st.caption("This command does the same in a terminal:")
    st.code("\n".join(map(shell, said)), language="bash", wrap_lines=True)


def _report_files(run: Run, said: Sequence[Sequence[str]]) -> bytes:
    single = single_scores(run.plan)
    return report_bytes(run.plan, run.results, run.problems, run.reference, said, single=single, margin=run.margin)
