"""Single figures and tables of the papers on the Reproduce page: each a job with Start, progress and Stop."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.cli.reading import reading_words
from core.data import DataError
from core.data.reading import AS_IT_STANDS
from core.experiments.papers.example import DATASET, example_outcomes
from core.experiments.papers.experiment import PaperExperiment, Request, ResultTable
from core.experiments.papers.registry import EXPERIMENTS
from core.experiments.run.plan import DatasetSource
from core.export.csv_tables import csv_text
from core.figures.look.style import heading, retitled
from core.figures.papers.registry import PICTURES
from core.names.counted import counted
from core.names.plain import in_markdown
from core.program import COMMAND
from core.work import Steps
from pages.shared.choice import address, link
from pages.shared.choice.source import Source
from pages.shared.live_chart import live_chart
from pages.shared.work.cell_batch import experiment_table
from pages.shared.work.stepwise import all_steps
from pages.views.reproduce.command import OUT, read_alike
from pages.views.reproduce.data import on_page

_REPRODUCE_EXPERIMENT = "reproduce_experiment"
# Those of the infinite push are on Top of the list, with controls of their own: their sets are divided otherwise.
BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS if not experiment.name.startswith("infinite-push")}
QUICK, PAPER = "quick", "as in the paper"
FEW_ROWS = 12
CONTROL_WIDTH = 330  # pixels


def experiments(chosen: Source | None, datasets: Sequence[str], tools: DeltaGenerator) -> None:
    """Draw the controls of one experiment on these datasets, and what is known of it so far, or an example.

    Parameters
    ----------
    chosen : Source or None
        The sidebar's, which says how its dataset is read.
    datasets : sequence of str
        As the page lists them.
    tools : DeltaGenerator
        The page's row of tools.
    """
    with tools:
        experiment, quick = _controls()
    about = f"{experiment.help} Data: {experiment.data or 'none; it generates its own'}."
    if experiment.data and not datasets:
        st.info("Pick at least one dataset.")
        _draw_example(experiment, "pick a dataset and press Start")
        return
    try:
        sources = tuple(on_page(name, chosen).source for name in datasets) if experiment.data else ()
    except DataError as error:
        st.warning(in_markdown(str(error)))
        _draw_example(experiment, "pick other data and press Start")
        return
    cells = _cells(experiment, Request(sources=sources, quick=quick))
    if cells is None:
        return
    experiment_table(
        f"paper_{experiment.name.replace('-', '_')}",
        cells,
        experiment.work,
        lambda outcomes: _draw(experiment, outcomes, len(cells)),
        tools,
    )
    st.caption(about)
    st.caption("This command does the same in a terminal and saves finished pieces for the next time:")
    st.code("\n".join(map(shlex.join, _commands(experiment, sources, quick))), language="bash", wrap_lines=True)


def _controls() -> tuple[PaperExperiment[Any, Any], bool]:
    if st.session_state.get(_REPRODUCE_EXPERIMENT) not in BY_NAME:
        linked = st.query_params.get(_REPRODUCE_EXPERIMENT)
        st.session_state[_REPRODUCE_EXPERIMENT] = linked if linked in BY_NAME else EXPERIMENTS[0].name
    name = st.selectbox(
        "Figure or table", list(BY_NAME), format_func=lambda key: BY_NAME[key].source if key in BY_NAME else key,
        key=_REPRODUCE_EXPERIMENT, persist_state="session", label_visibility="collapsed", width=CONTROL_WIDTH,
        help=
            "The papers' figures and tables that are not part of the protocol. Those of the infinite push are on the "
            "page Top of the list.",
    )  # fmt: skip
    quick = BY_NAME[name].has_quick and _quick_control()
    address.write(_REPRODUCE_EXPERIMENT, name)
    return BY_NAME[name], quick


def _quick_control() -> bool:
    how = "Quick uses few sizes, steps and values of C. Each setting keeps its results when you switch."
    return link.one_of("Setting", (QUICK, PAPER), key="reproduce_setting", help=how) != PAPER


def _cells(experiment: PaperExperiment[Any, Any], request: Request) -> Sequence[Any] | None:
    """The pieces, for which every fold is read once; None while that is under way or where it cannot be."""
    digest = hashlib.sha256(repr((experiment.name, request)).encode()).hexdigest()

    def read() -> Iterator[Sequence[Any]]:
        yield experiment.cells(request)

    found = all_steps(f"pieces-{digest}", lambda: Steps(read(), 1), "Reading the folds", travels=False)
    return None if found is None else found[0]


def _draw(experiment: PaperExperiment[Any, Any], outcomes: Sequence[Any], total: int) -> None:
    if not outcomes:
        _draw_example(experiment, f"press Start ({counted(total, 'piece')})")
        return
    tables = experiment.tables(outcomes)
    _draw_picture(experiment, outcomes, tables[0])
    for table in tables:
        with st.expander(
            f"{table.title}: {len(table.rows)} rows",
            icon=":material/library_books:",
            expanded=len(table.rows) <= FEW_ROWS,
        ):
            st.dataframe(pd.DataFrame(table.rows), hide_index=True, key=f"paper_table_{experiment.name}_{table.name}")
            st.download_button(
                "CSV", partial(csv_text, table.rows), f"{experiment.name}-{table.name}.csv", "text/csv",
                on_click="ignore",
                key=f"paper_csv_{experiment.name}_{table.name}", icon=":material/download:",
            )  # fmt: skip


def _draw_picture(
    experiment: PaperExperiment[Any, Any], outcomes: Sequence[Any], table: ResultTable, example: str = ""
) -> None:
    """The figure of an experiment, which is the picture of the page; ``example`` says what it shows, if it is one."""
    for name, draw in PICTURES.get(experiment.name, {}).items():
        figure = draw(outcomes)
        words = heading(figure)
        alt = words.title if words is not None else experiment.title
        if example and words is not None:
            about = [line.replace("on this machine", "on another machine") for line in words.subtitle]
            figure = retitled(figure, f"An example · {alt}", "\n".join([*about, example]))
        numbers = pd.DataFrame(table.rows)
        live_chart(figure, f"{experiment.name.replace('-', '_')}_{name}", alt=alt, table=numbers, main=True)


def _draw_example(experiment: PaperExperiment[Any, Any], way_on: str) -> None:
    """The same of a run that comes with the program, as long as there is none of one's own."""
    outcomes = example_outcomes(experiment.name)
    if outcomes:
        about = f"on the dataset {DATASET}, which comes with the program · {way_on} to see your own here"
        _draw_picture(experiment, outcomes, experiment.tables(outcomes)[0], about)


def _commands(experiment: PaperExperiment[Any, Any], sources: Sequence[DatasetSource], quick: bool) -> list[list[str]]:
    """One command for all datasets that are read alike, as its options hold for each."""
    return [
        [*COMMAND, "paper", experiment.name, *names, *(["--quick"] if quick else []),
         *reading_words(reading), "--out", OUT]
        for reading, names in (read_alike(sources) or {AS_IT_STANDS: []}).items()
    ]  # fmt: skip
