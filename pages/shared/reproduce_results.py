"""What a run of the protocol came to, section by section, and the report to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from core.experiments.beside_published import beside_published, beside_rows, published_elsewhere
from core.experiments.cells import Cell
from core.experiments.comparison import HEADING, WORDS, against_reference, comparison_rows
from core.experiments.summary import table_rows
from core.experiments.tables import quality_table, sparsity_table
from core.figures.protocol_report import report_bytes
from pages.shared import reproduce_pictures as pictures
from pages.shared.reproduce_cells import cells_section
from pages.shared.reproduce_command import commands, shell
from pages.shared.reproduce_controls import Wanted, reference_control
from pages.shared.reproduce_shown import Shown

SECTIONS = ("Table", "Significance", "Sparsity (IV)", "MAP (V)", "NDCG@10 (VI)", "Published", "Trade-off", "Time",
            "Features", "Cells")  # fmt: skip
Rows = list[dict[str, object]]


def results_sections(shown: Shown, wanted: Wanted) -> None:
    """The tables and pictures, one section at a time, and the report."""
    _problems(shown)
    if not shown.lines:
        st.caption(
            "A grid of C is fitted on each fold's training part, the best on its validation part is measured once on "
            "its test part, as in Laporte et al. (2014, §V-C). Then come the papers' tables, IV to VI, with the "
            "published numbers beside them where there are any, the significance of every difference, and pictures."
        )
        return
    section = st.segmented_control(
        "Show", SECTIONS, default=SECTIONS[0], required=True, key="reproduce_section", bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    draw: dict[str, Callable[[], None]] = {
        "Table": lambda: _table("results", "Every method", shown.subtitle, _titled(table_rows(shown.lines), shown)),
        "Significance": lambda: _significance(shown),
        "Sparsity (IV)": lambda: _paper_table(shown, "sparsity"),
        "MAP (V)": lambda: _paper_table(shown, "MAP"),
        "NDCG@10 (VI)": lambda: _paper_table(shown, "NDCG@10"),
        "Published": lambda: _published(shown),
        "Trade-off": lambda: pictures.tradeoff(shown),
        "Time": lambda: pictures.time(shown),
        "Features": lambda: pictures.features(shown),
        "Cells": lambda: cells_section(shown.plan, shown.results, shown.titles),
    }
    draw[section or SECTIONS[0]]()
    _report(shown, wanted)


def _problems(shown: Shown) -> None:
    """What failed, each reason once."""
    reasons: dict[str, list[Cell]] = {}
    for cell, failure in shown.problems.items():
        if cell not in shown.results:
            reasons.setdefault(failure.sentence, []).append(cell)
    for sentence, cells in reasons.items():
        where = ", ".join(dict.fromkeys(f"{cell.dataset} {shown.titles[cell.choice.label]}" for cell in cells))
        st.warning(f"{where}: {sentence} ({len(cells)} of the cells; running again tries them anew)", icon="⚠️")


def _table(name: str, title: str, note: str, rows: Sequence[Mapping[str, object]]) -> None:
    st.markdown(f"**{title}**")
    st.caption(note)
    table = pd.DataFrame(list(rows))
    st.dataframe(table, hide_index=True, height="content", key=f"reproduce_table_{name}", column_config=_digits(table))
    st.download_button(
        "CSV", lambda: table.to_csv(index=False), f"protocol-{name}.csv", "text/csv", on_click="ignore",
        key=f"reproduce_csv_{name}", icon="💾", help="This table, every digit",
    )  # fmt: skip


def _titled(rows: Sequence[Mapping[str, object]], shown: Shown) -> Rows:
    """Methods as people call them."""
    return [dict(row) | {"method": shown.titles[str(row["method"])]} for row in rows]


def _digits(table: pd.DataFrame) -> dict[str, object]:
    """Four digits, as in the papers."""
    return {
        str(name): st.column_config.NumberColumn(format="%.4f")
        for name in table
        if pd.api.types.is_float_dtype(table[name])
    }


def _paper_table(shown: Shown, what: str) -> None:
    table = sparsity_table(shown.lines, shown.titles) if what == "sparsity" else quality_table(
        shown.lines, what, shown.titles)  # fmt: skip
    _table(table.name, table.title, table.note, table.records())


def _significance(shown: Shown) -> None:
    reference = reference_control(shown.plan.choices)
    compared = against_reference(shown.lines, reference) if reference else []
    if reference is None or not compared:
        st.info("Two methods with every fold worked out are needed to compare.", icon="⚖️")
        return
    heading = HEADING.format(reference=shown.titles[reference])
    _table("significance", heading, WORDS, _titled(comparison_rows(compared), shown))


def _published(shown: Shown) -> None:
    rows = _titled(beside_rows(beside_published(shown.lines)), shown)
    elsewhere = published_elsewhere([dataset.name for dataset in shown.plan.datasets])
    if not rows and not elsewhere:
        st.info(
            "The papers print no number for these datasets. They do for OHSUMED, MQ2007, MQ2008, and the .Gov sets "
            "(TD, HP and NP of 2003 and 2004).",
            icon="📰",
        )
        return
    if rows:
        note = "Within: the difference is no larger than one standard deviation of ours from fold to fold."
        _table("published", "Ours beside the published numbers", note, rows)
    if elsewhere:
        cited = [
            {"dataset": n.dataset, "system": n.system, "measure": n.measure, "published": n.value, "source": n.source}
            for n in elsewhere
        ]
        with st.expander(f"{len(cited)} published numbers of systems that are not here", icon="📚"):
            _table("cited", "Cited only", "As printed.", cited)


def _report(shown: Shown, wanted: Wanted) -> None:
    """Everything in one file, and the command that makes the same."""
    reference = st.session_state.get("reproduce_reference")
    labels = [choice.label for choice in shown.plan.choices]
    said = commands(shown.plan, wanted)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Report (zip)",
            lambda: report_bytes(shown.plan, shown.results, shown.problems, reference if reference in labels else None,
                                 said[0]),
            "protocol-report.zip",
            "application/zip",
            on_click="ignore",
            key="reproduce_report",
            icon="📦",
            help="One HTML page with its pictures alive and no need of a network, and every table as CSV and LaTeX.",
        )  # fmt: skip
    st.caption("The same from a terminal:")
    st.code("\n".join(map(shell, said)), language="bash", wrap_lines=True)
