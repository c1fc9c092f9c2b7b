"""The pictures of a run of the protocol: quality against sparsity, agreement, the features kept."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.experiments.results.example import DATASET, EXAMPLE_WORDS, example_lines
from core.experiments.results.printed_table import Table
from core.experiments.results.run import Run
from core.experiments.run.cells import choice_titles
from core.experiments.run.protocol import TESTED
from core.export import protocol_tables as tables
from core.export.scripts.description import ProtocolDescription
from core.export.table_formats import csv_text
from core.figures.picture import Words
from core.figures.protocol.features import ProtocolAgreement, ProtocolFeatures, has_pair
from core.figures.protocol.marks import RunPicture
from core.figures.protocol.tradeoff import (
    BARS,
    Bars,
    ProtocolTradeoff,
    protocol_tradeoff_figure,
    protocol_tradeoff_rows,
    protocol_tradeoff_sentence,
)
from pages.shared.choice import link
from pages.shared.controls import download
from pages.shared.live_chart import live_chart
from pages.shared.show import show
from pages.views.reproduce.data import described
from pages.views.reproduce.run import single_scores


def tradeoff_controls(run: Run) -> tuple[str, Bars]:
    """What the picture of the page draws: measure and bars."""
    chosen_by = run.plan.measure if run.plan.measure in TESTED else TESTED[0]
    how: dict[str, Any] = {"bind": None, "persist_state": "session", "label_visibility": "visible"}
    measure = link.one_of("Quality drawn", TESTED, begins=chosen_by, key="reproduce_measure", **how)
    help = "Folds differ in difficulty more than methods differ. The first kind of bar leaves that part out."
    return measure, link.one_of("Bars upwards", BARS, key="reproduce_bars", help=help, **how)


def tradeoff(run: Run, measure: str, bars: Bars) -> None:
    """The picture of the page, below the sentence of the measure that chooses C."""
    headline = protocol_tradeoff_sentence(run.lines, run.plan.measure, run.titles)
    show_picture(ProtocolTradeoff(run, measure=measure, bars=bars, headline=headline), main=True)


def example(measure: str) -> None:
    """The same of a run that comes with the program, as long as there is none of one's own."""
    measure = measure if measure in TESTED else TESTED[0]
    lines = example_lines()
    titles = choice_titles([line.choice for line in lines])
    said = protocol_tradeoff_sentence(lines, measure, titles)
    title = f"An example: {said}"
    about = f"{DATASET}, {lines[0].n_folds} folds, {EXAMPLE_WORDS} · press Run to see your own here"
    figure = protocol_tradeoff_figure(lines, measure, titles, words=Words(title, about))
    rows = protocol_tradeoff_rows(lines, measure, titles)
    live_chart(figure, "reproduce_example", alt=title, table=pd.DataFrame(list(rows)), main=True)


def features(run: Run) -> None:
    """Do the methods agree, and are they the known strong ones? (CORIA 2014, §4.1.3), dataset by dataset."""
    single = single_scores(run.plan)
    for dataset in dict.fromkeys(line.dataset for line in run.lines):
        show_picture(ProtocolFeatures(run, dataset), known={"single": single})
        if has_pair(run.lines_of(dataset)):
            show_picture(ProtocolAgreement(run, dataset))
        strong = tables.strong_table(run, dataset, single)
        if strong is not None:
            draw_table(strong)


def show_picture(picture: RunPicture[Any], **how: Any) -> None:
    """Render a picture; its script stands beside it once the run is complete."""
    plan = picture.run.plan
    ran = ProtocolDescription(
        tuple(described(dataset.source) for dataset in plan.datasets),
        tuple(choice.label for choice in plan.choices),
        {"points": plan.points, "measure": plan.measure, "choose": plan.rule},
    )
    show(picture, (), fits=lambda: {"run": ran}, scripted=picture.run.complete, **how)


def draw_table(table: Table) -> None:
    """As the report has it; the CSV with every digit."""
    st.markdown(f"**{table.title}**")
    st.caption(table.note)
    shown, formats = _sortable(pd.DataFrame(table.records()))
    st.dataframe(shown, hide_index=True, height="content", key=f"reproduce_table_{table.name}", column_config=formats)
    download(
        "CSV", lambda: csv_text(table.numbers), f"{table.name}.csv", key=f"reproduce_csv_{table.name}",
        icon=":material/save:", help="These numbers with all digits",
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
