"""Figs. 1 and 2 of the infinite push paper: the toy problem, positives on top, and features found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.experiments.infinite_push.choosing_by_top import ELIMINATION_WORDS, GRID_WORDS
from core.experiments.infinite_push.feature_retrieval import FeatureRetrieval
from core.experiments.infinite_push.toy_study import (
    PAPER_NOISE,
    PAPER_SIZES,
    QUICK_NOISE,
    QUICK_SIZES,
    TITLES,
    ToyCell,
    ToyOutcome,
    ToyPoint,
    ToyStudy,
    toy_outcome,
    toy_points,
)
from core.experiments.papers.experiment import Json, PaperExperiment, ResultTable

PAPER = "Rakotomamonjy 2012"
LEFT_OPEN = (
    f"Grid: {GRID_WORDS}; {ELIMINATION_WORDS}; among equals the largest λ, then the fewest features. The paper leaves "
    "open the covariances' distribution (here Wishart with ten degrees of freedom), its grids, and how ties are "
    "broken; it prints the figure without numbers, so there are none to compare with."
)


def toy_tables(outcomes: Sequence[ToyOutcome]) -> tuple[ResultTable, ...]:
    """Make two tables: means by size, noise and method over the trials that all methods finished; and every trial."""
    return (
        ResultTable(
            "points",
            "Means over trials with their standard errors; p of Wilcoxon's signed-rank test of the rate on top "
            f"against the {TITLES['infinite-push-l1']}",
            tuple(_point(point) for point in toy_points(outcomes)),
        ),
        ResultTable("trials", "Every trial", tuple(_trial(outcome) for outcome in outcomes)),
    )


def _point(point: ToyPoint) -> dict[str, Any]:
    measures = {
        "top": point.top,
        "precision": point.precision,
        "recall": point.recall,
        "F-measure": point.f_measure,
        "features": point.kept,
    }
    row: dict[str, Any] = {
        "examples": point.n_train,
        "noisy features": point.n_noisy,
        "method": TITLES[point.method],
        "trials": point.n_trials,
    }
    for name, spread in measures.items():
        row |= {name: spread.mean, f"± {name}": spread.error}
    return row | {"p": point.p_value}


def _trial(outcome: ToyOutcome) -> dict[str, Any]:
    cell = outcome.cell
    return {
        "examples": cell.n_train,
        "noisy features": cell.n_noisy,
        "trial": cell.trial + 1,
        "method": TITLES[cell.method],
        "top": outcome.top,
        "precision": outcome.retrieval.precision,
        "recall": outcome.retrieval.recall,
        "F-measure": outcome.retrieval.f_measure,
        "features": outcome.kept,
        "lambda ratio": outcome.ratio,
        "seconds": outcome.seconds,
    }


def _depends(cell: ToyCell) -> dict[str, Any]:
    return {"examples": cell.n_train, "noisy": cell.n_noisy, "trial": cell.trial, "method": cell.method}


def _pack(outcome: ToyOutcome) -> dict[str, Any]:
    return {
        "top": outcome.top,
        "kept": outcome.kept,
        "precision": outcome.retrieval.precision,
        "recall": outcome.retrieval.recall,
        "ratio": outcome.ratio,
        "seconds": outcome.seconds,
    }


def _unpack(cell: ToyCell, packed: Json) -> ToyOutcome:
    return ToyOutcome(
        cell=cell,
        top=packed["top"],
        kept=packed["kept"],
        retrieval=FeatureRetrieval(packed["precision"], packed["recall"]),
        ratio=packed["ratio"],
        seconds=packed["seconds"],
    )


def _experiment(
    figure: int, title: str, help: str, paper: ToyStudy, quick: ToyStudy
) -> PaperExperiment[ToyCell, ToyOutcome]:
    """Make a figure of the toy problem; the figures differ in what they vary and draw."""
    return PaperExperiment(
        name=f"infinite-push-fig{figure}",
        title=title,
        source=f"{PAPER}, Fig. {figure}",
        data="",
        help=f"{help} {LEFT_OPEN}",
        cells=lambda request: quick.cells if request.quick else paper.cells,
        work=toy_outcome,
        depends=_depends,
        pack=_pack,
        unpack=_unpack,
        tables=toy_tables,
    )


INFINITE_PUSH_SIZES = _experiment(
    1,
    "Toy problem: rate of positives on top against the number of training examples",
    "Ten features tell two Gaussian classes apart, 20 or 100 others are noise. Each method chooses its settings by "
    "the rate on top of a random 30 % of the training examples, is then fitted to all of them, and tested on 1000 "
    "more; twenty trials. Quick: 20 noisy features, three trials.",
    PAPER_SIZES,
    QUICK_SIZES,
)
INFINITE_PUSH_NOISE = _experiment(
    2,
    "Toy problem: precision and F-measure of the features found against the number of noisy ones",
    "As Fig. 1, on 100 training examples and a growing number of noisy features; a feature is found where its weight "
    "is not 0. Twenty trials. Quick: up to 50 noisy features, three trials.",
    PAPER_NOISE,
    QUICK_NOISE,
)
