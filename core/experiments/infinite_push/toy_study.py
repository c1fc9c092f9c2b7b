"""The toy experiments of Rakotomamonjy (2012, Fig. 1 and 2): positives on top, and features found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.data.built_in import ToyProblem, toy_problem
from core.experiments.infinite_push.choosing_by_top import choose_by_top, top_rate
from core.experiments.infinite_push.feature_retrieval import FeatureRetrieval
from core.experiments.results.signed_rank import signed_rank_p
from core.methods import get_method

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
    """The result of a method on one draw.

    Attributes
    ----------
    cell : ToyCell
    top : float
        Rate of positives on top of the 1000 test documents.
    kept : int
        Number of features.
    retrieval : FeatureRetrieval
    ratio : float
        The chosen lambda / lambda_max.
    seconds : float
        Solver time of the last fit.
    """

    cell: ToyCell
    top: float
    kept: int
    retrieval: FeatureRetrieval
    ratio: float
    seconds: float


@dataclass(frozen=True)
class ToyStudy:
    """A table of cells.

    Attributes
    ----------
    sizes : tuple of int
        Training examples.
    noisy : tuple of int
        Number of irrelevant features, beside ten relevant ones.
    trials : int
        Draws of the problem, seeds 0, 1, 2, ...
    methods : tuple of str
    """

    sizes: tuple[int, ...]
    noisy: tuple[int, ...]
    trials: int
    methods: tuple[str, ...] = METHODS

    @property
    def cells(self) -> tuple[ToyCell, ...]:
        """The cells trial by trial, so that a run that is stopped early has the same draws for all methods."""
        return tuple(
            ToyCell(n_train, n_noisy, trial, method)
            for trial in range(self.trials)
            for n_noisy in self.noisy
            for n_train in self.sizes
            for method in self.methods
        )


QUICK_SIZES = ToyStudy((40, 100, 200), (20,), 3)
PAPER_SIZES = ToyStudy((40, 100, 200, 400), (20, 100), 20)
QUICK_NOISE = ToyStudy((100,), (10, 20, 50), 3)
PAPER_NOISE = ToyStudy((100,), (10, 20, 50, 100, 200), 20)


def toy_outcome(cell: ToyCell, known: Mapping[ToyCell, ToyOutcome]) -> ToyOutcome:
    """Draw the problem, choose the settings, fit, and test; for `CellRun`."""
    problem = _drawn(cell.n_train, cell.n_noisy, cell.trial)
    chosen = choose_by_top(get_method(cell.method), problem.train, cell.trial)
    fit = chosen.fit
    return ToyOutcome(
        cell=cell,
        top=top_rate(problem.test, fit.weights),
        kept=fit.result.nonzero,
        retrieval=FeatureRetrieval.of(fit.selected.tolist(), problem.support.tolist()),
        ratio=chosen.ratio,
        seconds=fit.result.seconds,
    )


@lru_cache(maxsize=2)
def _drawn(n_train: int, n_noisy: int, trial: int) -> ToyProblem:
    return toy_problem(
        n_relevant=N_RELEVANT, n_features=N_RELEVANT + n_noisy, n_train=n_train, n_test=N_TEST, seed=trial
    )


@dataclass(frozen=True)
class ToyPoint:
    """A method at one size of the problem, over the trials that all methods have finished.

    Attributes
    ----------
    method : str
    n_train, n_noisy, n_trials : int
    top, precision, recall, f_measure, kept : Spread
    p_value : float or None
        Of the rate on top against that of the ℓ1 infinite push; None for itself.
    """

    method: str
    n_train: int
    n_noisy: int
    n_trials: int
    top: Spread
    precision: Spread
    recall: Spread
    f_measure: Spread
    kept: Spread
    p_value: float | None


def toy_points(outcomes: Sequence[ToyOutcome]) -> list[ToyPoint]:
    """Average by size, noise and method, over the trials that all methods have, so that they are comparable."""
    by_cell = {outcome.cell: outcome for outcome in outcomes}
    methods = list(dict.fromkeys(cell.method for cell in by_cell))
    points = []
    for n_train, n_noisy in sorted({(cell.n_train, cell.n_noisy) for cell in by_cell}):
        trials = sorted({cell.trial for cell in by_cell if (cell.n_train, cell.n_noisy) == (n_train, n_noisy)})
        rows = {m: [by_cell.get(ToyCell(n_train, n_noisy, trial, m)) for trial in trials] for m in methods}
        complete = [k for k in range(len(trials)) if all(row[k] is not None for row in rows.values())]
        finished = {m: [outcome for k in complete if (outcome := row[k]) is not None] for m, row in rows.items()}
        if complete:
            points += [_point(finished[method], finished.get(REFERENCE)) for method in methods]
    return points


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
        precision=Spread.of(outcome.retrieval.precision for outcome in row),
        recall=Spread.of(outcome.retrieval.recall for outcome in row),
        f_measure=Spread.of(outcome.retrieval.f_measure for outcome in row),
        kept=Spread.of(outcome.kept for outcome in row),
        p_value=signed_rank_p([outcome.top for outcome in reference or ()], tops) if compared else None,
    )
