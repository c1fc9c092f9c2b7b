"""The experiments of Rakotomamonjy (2012): the toy problem, running time, and sets of real data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from core.api.experiment_tables import timings_table, top_table, toy_table
from core.data import Dataset
from core.experiments.infinite_push import push_timing, toy_study
from core.experiments.infinite_push.published_top import name_if_published
from core.experiments.infinite_push.push_timing import timing_curves
from core.experiments.infinite_push.top_table import (
    ITERATIONS,
    QUICK_ITERATIONS,
    TopSet,
    top_cells,
    top_outcome,
    top_rows,
)
from core.experiments.infinite_push.toy_study import ToyPoint, ToyStudy, toy_outcome, toy_points
from core.experiments.run.cell_run import CellRun
from core.figures.drawn import FigureAndTable
from core.figures.top.push_timing import timing_figure, timing_sentence
from core.figures.top.table import table_sentence, top_table_figure
from core.figures.top.toy_study import (
    Across,
    retrieval_panels,
    retrieval_sentence,
    top_panels,
    top_sentence,
    toy_figure,
)

Setting = Literal["quick", "as in the paper"]
"""Three trials and few sizes, or twenty trials: seconds or minutes."""


def toy_top(across: Across = "training examples", *, setting: Setting = "quick") -> FigureAndTable:
    """Draw Figure 1: the rate of positives on top of the toy problem.

    Parameters
    ----------
    across : {"training examples", "noisy features"}
    setting : {"quick", "as in the paper"}
    """
    points = _points(_study(across, setting))
    figure = toy_figure(
        top_panels(points, across), across, "rate of positives on top", title=top_sentence(points, across)
    )
    return FigureAndTable(figure, toy_table(points))


def toy_features(*, setting: Setting = "quick") -> FigureAndTable:
    """Draw Figure 2: precision, recall and F-measure of the features that are found in the toy problem."""
    points = _points(_study("noisy features", setting))
    panels = retrieval_panels(points)
    figure = toy_figure(panels, "noisy features", "share", title=retrieval_sentence(points))
    return FigureAndTable(figure, toy_table(points))


def push_times(*, setting: Setting = "quick") -> FigureAndTable:
    """Draw Figure 3: the time of a fit against the number of pairs, on this machine."""
    study = push_timing.QUICK_TIMES if setting == "quick" else push_timing.PAPER_TIMES
    found = CellRun(study.cells, push_timing.timing, {}).finish()
    curves = timing_curves(found)
    return FigureAndTable(timing_figure(curves, title=timing_sentence(curves)), timings_table(found))


def top_sets(sets: Mapping[str, Dataset], *, setting: Setting = "quick", adjusted: bool = False) -> FigureAndTable:
    """Draw Table 1: the rate on top of real sets, over random splits, beside what is published.

    Parameters
    ----------
    sets : mapping of str to Dataset
        Data with two classes, by the name that stands in the table; undivided.
    setting : {"quick", "as in the paper"}
        How many splits.
    adjusted : bool
        Whether p-values are Holm's.
    """
    iterations = QUICK_ITERATIONS if setting == "quick" else ITERATIONS
    wanted = [top_set(dataset, name) for name, dataset in sets.items()]
    rows = top_rows(CellRun(top_cells(wanted, iterations), top_outcome, {}).finish())
    figure = top_table_figure(rows, adjusted=adjusted, title=table_sentence(rows, adjusted=adjusted))
    return FigureAndTable(figure, top_table(rows, adjusted=adjusted))


def top_set(dataset: Dataset, name: str) -> TopSet:
    """Prepare one set for the table.

    Raises
    ------
    DataError
        If it cannot be used.
    """
    data = dataset.fold(1).train
    published = name_if_published(dataset.name, data.n_documents, data.n_features)
    return TopSet.of(data, f"{name} ({data.query_ids[0]})", published)


def _study(across: Across, setting: Setting) -> ToyStudy:
    if across == "training examples":
        return toy_study.QUICK_SIZES if setting == "quick" else toy_study.PAPER_SIZES
    return toy_study.QUICK_NOISE if setting == "quick" else toy_study.PAPER_NOISE


def _points(study: ToyStudy) -> Sequence[ToyPoint]:
    return toy_points(CellRun(study.cells, toy_outcome, {}).finish())
