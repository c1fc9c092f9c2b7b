"""Figs. 1 and 2 of the infinite push paper: the toy problem, positives on top, and features found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.data.built_in import ToyProblem, toy_problem
from core.experiments.papers.choosing_by_top import ELIMINATION_WORDS, GRID_WORDS, choose_by_top, top_rate
from core.experiments.papers.experiment import PaperExperiment, ResultTable
from core.experiments.results.statistics import signed_rank_p
from core.methods import get_method

PAPER = "Rakotomamonjy 2012"
LEFT_OPEN = (
    f"Grid: {GRID_WORDS}; {ELIMINATION_WORDS}; among equals the largest λ, then the fewest features. The paper leaves "
    "open the covariances' distribution (here Wishart with ten degrees of freedom), its grids, and how ties are "
    "broken; it prints the figure without numbers, so there are none to compare with."
)
REFERENCE = "infinite-push-l1"
METHODS = (REFERENCE, "infinite-push-rfe", "infinite-push-l2", "l1")
TITLES = {
    REFERENCE: "ℓ1 infinite push",
    "infinite-push-rfe": "infinite push RFE",
    "infinite-push-l2": "ℓ2 infinite push",
    "l1": "ℓ1 RankSVM",
}
N_RELEVANT = 10
N_TEST = 1000


def precision_and_recall(retrieved: Iterable[int], relevant: Iterable[int]) -> tuple[float, float]:
    """Compare the columns that a model selects with those that matter; precision is 0 where none is selected."""
    found, wanted = set(retrieved), set(relevant)
    hits = len(found & wanted)
    return hits / len(found) if found else 0.0, hits / len(wanted)


@dataclass(frozen=True)
class ToyCell:
    """One method on one draw of the toy problem; the trial is the seed of the draw and of the validation split."""

    n_train: int
    n_noisy: int
    trial: int
    method: str

    @property
    def where(self) -> str:
        """Size and trial, for people."""
        return f"{self.n_train} examples, {self.n_noisy} noisy features, trial {self.trial + 1}"


@dataclass(frozen=True)
class ToyOutcome:
    """The result of a method on one draw."""

    cell: ToyCell
    top: float  # rate of positives on top of the 1000 test documents
    kept: int  # number of features
    # precision, recall: shares of the selected features that are relevant, and of the relevant ones that are selected
    precision: float
    recall: float
    ratio: float  # the chosen lambda / lambda_max
    seconds: float  # solver time of the last fit

    @property
    def f_measure(self) -> float:
        """Harmonic mean of precision and recall; 0 where both are."""
        total = self.precision + self.recall
        return 2.0 * self.precision * self.recall / total if total > 0.0 else 0.0


def toy_cells(
    sizes: Sequence[int], noisy: Sequence[int], trials: int, methods: Sequence[str] = METHODS
) -> tuple[ToyCell, ...]:
    """List the cells trial by trial, so that a run that is stopped early has the same draws for all methods.

    Parameters
    ----------
    sizes : sequence of int
        Training examples.
    noisy : sequence of int
        Number of irrelevant features, beside ten relevant ones.
    trials : int
        Draws of the problem, seeds 0, 1, 2, ...
    methods : sequence of str
    """
    return tuple(
        ToyCell(n_train, n_noisy, trial, method)
        for trial in range(trials)
        for n_noisy in noisy
        for n_train in sizes
        for method in methods
    )


def toy_outcome(cell: ToyCell, known: Mapping[ToyCell, ToyOutcome]) -> ToyOutcome:
    """Draw the problem, choose the settings, fit, and test."""
    problem = _drawn(cell.n_train, cell.n_noisy, cell.trial)
    fit, ratio = choose_by_top(get_method(cell.method), problem.train, cell.trial)
    retrieved = precision_and_recall(fit.selected.tolist(), problem.support.tolist())
    top, result = top_rate(problem.test, fit.weights), fit.result
    return ToyOutcome(cell, top, result.nonzero, *retrieved, ratio, result.seconds)


@lru_cache(maxsize=2)
def _drawn(n_train: int, n_noisy: int, trial: int) -> ToyProblem:
    return toy_problem(
        n_relevant=N_RELEVANT, n_features=N_RELEVANT + n_noisy, n_train=n_train, n_test=N_TEST, seed=trial
    )


@dataclass(frozen=True)
class ToyPoint:
    """A method at one size of the problem, over the trials that all methods have finished."""

    method: str
    n_train: int
    n_noisy: int
    n_trials: int
    top: Spread
    precision: Spread
    recall: Spread
    f_measure: Spread
    kept: Spread
    p_value: float | None  # of the rate on top against that of the ℓ1 infinite push; None for itself


def toy_points(outcomes: Sequence[ToyOutcome]) -> list[ToyPoint]:
    """Average by size, noise and method, over the trials that all methods have, so that they are comparable."""
    finished = finished_by_all(outcomes, lambda cell: ((cell.n_train, cell.n_noisy), cell.trial))
    every = [finished[size] for size in sorted(finished)]
    return [_point(row, by_method.get(REFERENCE)) for by_method in every for row in by_method.values()]


def finished_by_all(
    outcomes: Sequence[Any], place: Callable[[Any], tuple[Any, int]]
) -> dict[Any, dict[str, list[Any]]]:
    """Return outcomes by problem and method, of trials that all methods have; a cell's place is problem and trial."""
    methods = dict.fromkeys(outcome.cell.method for outcome in outcomes)
    by_trial: dict[tuple[Any, int], dict[str, Any]] = {}
    for outcome in outcomes:
        by_trial.setdefault(place(outcome.cell), {})[outcome.cell.method] = outcome
    found: dict[Any, dict[str, list[Any]]] = {}
    for (problem, _), row in by_trial.items():
        for method in methods if len(row) == len(methods) else ():
            found.setdefault(problem, {}).setdefault(method, []).append(row[method])
    return found


def _point(row: Sequence[ToyOutcome], reference: Sequence[ToyOutcome] | None) -> ToyPoint:
    cell = row[0].cell
    tops = [outcome.top for outcome in row]
    compared = reference is not None and cell.method != REFERENCE
    return ToyPoint(
        method=cell.method,
        n_train=cell.n_train,
        n_noisy=cell.n_noisy,
        n_trials=len(row),
        top=Spread.of(tops),
        precision=Spread.of(outcome.precision for outcome in row),
        recall=Spread.of(outcome.recall for outcome in row),
        f_measure=Spread.of(outcome.f_measure for outcome in row),
        kept=Spread.of(outcome.kept for outcome in row),
        p_value=signed_rank_p([outcome.top for outcome in reference or ()], tops) if compared else None,
    )


def toy_tables(outcomes: Sequence[ToyOutcome]) -> tuple[ResultTable, ...]:
    """Make two tables: means by size, noise and method over the trials that all methods finished; and every trial."""
    return (
        ResultTable(
            "points",
            "Means over trials with their standard errors; p of Wilcoxon's signed-rank test of the rate on top "
            f"against the {TITLES['infinite-push-l1']}",
            tuple(_point_row(point) for point in toy_points(outcomes)),
        ),
        ResultTable("trials", "Every trial", tuple(_trial(outcome) for outcome in outcomes)),
    )


def _point_row(point: ToyPoint) -> dict[str, Any]:
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
        "precision": outcome.precision,
        "recall": outcome.recall,
        "F-measure": outcome.f_measure,
        "features": outcome.kept,
        "lambda ratio": outcome.ratio,
        "seconds": outcome.seconds,
    }


def _experiment(
    figure: int, title: str, help: str, paper: Sequence[ToyCell], quick: Sequence[ToyCell]
) -> PaperExperiment[ToyCell, ToyOutcome]:
    """Make a figure of the toy problem; the figures differ in what they vary and draw."""
    return PaperExperiment(
        name=f"infinite-push-fig{figure}",
        title=title,
        source=f"{PAPER}, Fig. {figure}",
        data="",
        help=f"{help} {LEFT_OPEN}",
        cells=lambda request: quick if request.quick else paper,
        work=toy_outcome,
        outcome=ToyOutcome,
        tables=toy_tables,
    )


INFINITE_PUSH_SIZES = _experiment(
    1,
    "Toy problem: rate of positives on top against the number of training examples",
    "Ten features tell two Gaussian classes apart, 20 or 100 others are noise. Each method chooses its settings by "
    "the rate on top of a random 30 % of the training examples, is then fitted to all of them, and tested on 1000 "
    "more; twenty trials. Quick: 20 noisy features, three trials.",
    toy_cells((40, 100, 200, 400), (20, 100), 20),
    toy_cells((40, 100, 200), (20,), 3),
)
INFINITE_PUSH_NOISE = _experiment(
    2,
    "Toy problem: precision and F-measure of the features found against the number of noisy ones",
    "As Fig. 1, on 100 training examples and a growing number of noisy features; a feature is found where its weight "
    "is not 0. Twenty trials. Quick: up to 50 noisy features, three trials.",
    toy_cells((100,), (10, 20, 50, 100, 200), 20),
    toy_cells((100,), (10, 20, 50), 3),
)
