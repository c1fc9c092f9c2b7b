"""Figs. 1-3 of the FSMRank paper: MAP and NDCG@10 against the number of features, means over the folds.

FSMRank's model is cut down to its k largest weights, "using their associated weights"; GAS-E and FSMSVM choose k
features and fit RankSVM-Primal to those. The paper leaves open how the C of the latter is set for each k: here by the
validation part, with everything else of theirs that is chosen there. That NDCG@10 chose FSMRank's lambdas is said by
Laporte et al. (2014, Section V-C).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import Fitting, OnValidation
from core.analysis.tradeoff.fold_tradeoff import (
    EVERY_SIZE,
    SizeCurve,
    Values,
    is_filter,
    mean_over_folds,
    sizes_to_cut,
    truncations,
)
from core.analysis.tradeoff.tradeoff import MEASURES
from core.experiments.papers.experiment import PaperExperiment, Request, ResultTable, requested_folds
from core.experiments.run.cells import MethodChoice, title_of
from core.experiments.run.plan import PlannedFold
from core.methods import EmptyOptimumError, Method, Training, get_method

SYSTEMS = ("fsmrank", "fsmsvm", "gas-e")
CHOSEN_BY = "NDCG@10"
SHOWN = ("NDCG@10", "MAP")
POINTS, QUICK_POINTS = 20, 7
QUICK_SIZES = (1, 2, 3, 5, 8, 12, 20, 30, 45, 64)


@dataclass(frozen=True)
class SizeCell:
    """One method on one fold; of a filter, one number of features."""

    fold: PlannedFold
    choice: MethodChoice
    size: int | None  # size for a filter; None for a whole model, which is cut down to every size
    points: int  # number of lambdas on a path

    @property
    def where(self) -> str:
        """Fold and method, for people."""
        return f"{self.fold.where}, {title_of(self.choice.label)}"


@dataclass(frozen=True, eq=False)
class SizeOutcome:
    """The metrics of a cell's models."""

    cell: SizeCell
    # Metrics by number of features, part and measure; 0 where the chosen model is empty, which is judged in expectation
    # over the orders of the documents.
    values: Mapping[int, Values]
    c: float  # the C chosen; 0 where the empty model is best at every C
    parameters: dict[str, float]  # of the chosen model


def size_cells(
    folds: Sequence[PlannedFold],
    choices: Sequence[MethodChoice],
    *,
    points: int = POINTS,
    sizes: Sequence[int] | None = None,
) -> tuple[SizeCell, ...]:
    """List the cells fold by fold, method by method.

    Parameters
    ----------
    folds : sequence of PlannedFold
        Folds with train, vali and test part.
    choices : sequence of MethodChoice
        Methods of the registry. A number of features given to a filter is replaced by every size.
    points : int
    sizes : sequence of int, optional
        Numbers of features of filters; by default as many as a model is cut down to.
    """
    cells = []
    for fold in folds:
        wanted = sizes_to_cut(min(fold.n_features, EVERY_SIZE))
        for choice in choices:
            of_filter = [k for k in (sizes or wanted) if k <= fold.n_features]
            every: Sequence[int | None] = of_filter if is_filter(get_method(choice.method)) else [None]
            cells += [SizeCell(fold, choice, size, points) for size in every]
    return tuple(cells)


def size_outcome(cell: SizeCell, known: Mapping[SizeCell, SizeOutcome]) -> SizeOutcome:
    """Choose on the validation part; then cut the model down, or take a filter's model as it is."""
    method, given = get_method(cell.choice.method), dict(cell.choice.given)
    if cell.size is not None:
        given[_count(method)] = float(cell.size)
    training, judge = _prepared(cell.fold, method.training_key(given), cell.choice.method, tuple(given.items()))
    how = Fitting(method, training, judge, given, None, method.stop)
    try:
        chosen = how.tune(OnValidation(CHOSEN_BY, points=cell.points)).point
    except EmptyOptimumError:
        return SizeOutcome(cell, _empty(judge), 0.0, method.settings(given))
    fit = chosen.fit
    values: dict[int, Values]
    if cell.size is not None:
        values = {cell.size: _measured(chosen.judgement.metrics)}
    else:
        values = {k: _measured(judge.metrics(weights)) for k, weights in truncations(fit.weights)}
        values = values or _empty(judge)
    return SizeOutcome(cell, values, fit.c, dict(fit.parameters))


def _empty(judge: FoldJudge) -> dict[int, Values]:
    """Return the metrics of the model without features."""
    return {0: _measured(judge.metrics(np.zeros(judge.fold.train.n_features)))}


@lru_cache(maxsize=len(SYSTEMS))
def _prepared(
    fold: PlannedFold, key: tuple[object, ...], method_id: str, given: tuple[tuple[str, float], ...]
) -> tuple[Training, FoldJudge]:
    """Prepare training data and judge; a filter's quantities do not depend on how many features it selects."""
    opened = fold.open()
    return get_method(method_id).training(opened.train, dict(given)), FoldJudge(opened, fold.dataset.convention)


def _count(method: Method) -> str:
    return next(parameter.name for parameter in method.parameters if parameter.counts)


def _measured(metrics: Values) -> dict[str, dict[str, float]]:
    return {part: {measure: values[measure] for measure in MEASURES} for part, values in metrics.items()}


def size_curves(outcomes: Sequence[SizeOutcome]) -> dict[str, dict[str, list[SizeCurve]]]:
    """Return one curve a fold, in the order of the cells, by dataset and then by the method's label.

    Folds without the results of all methods and sizes are left out, because means over different folds are not
    comparable.
    """
    by_fold: dict[PlannedFold, dict[str, dict[int, Values]]] = {}
    wanted: dict[str, set[tuple[str, int | None]]] = {}
    for outcome in outcomes:
        cell = outcome.cell
        by_fold.setdefault(cell.fold, {}).setdefault(cell.choice.label, {}).update(outcome.values)
        wanted.setdefault(cell.fold.dataset.name, set()).add((cell.choice.label, cell.size))
    there = {(o.cell.fold, o.cell.choice.label, o.cell.size) for o in outcomes}
    found: dict[str, dict[str, list[SizeCurve]]] = {}
    for fold, methods in by_fold.items():
        if all((fold, label, size) in there for label, size in wanted[fold.dataset.name]):
            for label, values in methods.items():
                found.setdefault(fold.dataset.name, {}).setdefault(label, []).append(SizeCurve(values))
    return found


def size_tables(outcomes: Sequence[SizeOutcome]) -> tuple[ResultTable, ...]:
    """Make tables of the means over folds by dataset, method and number of features, and of what they average."""
    rows: list[dict[str, Any]] = []
    for dataset, methods in size_curves(outcomes).items():
        sizes = sorted({k for curves in methods.values() for curve in curves for k in curve.values if k > 0})
        for label, curves in methods.items():
            means = {measure: mean_over_folds(curves, "test", measure, sizes) for measure in SHOWN}
            for at in zip(*means.values(), strict=True):
                row: dict[str, Any] = {"dataset": dataset, "method": label, "features": at[0].size}
                row["folds"] = at[0].n_folds
                for measure, mean in zip(means, at, strict=True):
                    row |= {measure: mean.value.mean, f"{measure} s.e.": mean.value.error}
                rows.append(row)
    return (
        ResultTable("means", "Means over folds on the test parts, by the most features allowed", tuple(rows)),
        ResultTable("folds", "Every fold, test part", tuple(_fold_rows(outcomes))),
    )


def _fold_rows(outcomes: Sequence[SizeOutcome]) -> list[dict[str, Any]]:
    return [
        {
            "dataset": outcome.cell.fold.dataset.name,
            "fold": outcome.cell.fold.number,
            "method": outcome.cell.choice.label,
            "features": size,
            **{measure: values["test"][measure] for measure in SHOWN},
            "C": outcome.c,
        }
        for outcome in outcomes
        for size, values in outcome.values.items()
    ]


def _cells(request: Request) -> tuple[SizeCell, ...]:
    folds = requested_folds(request, parts=("train", "vali", "test"))
    choices = [MethodChoice(method) for method in SYSTEMS]
    if request.quick:
        return size_cells(folds, choices, points=QUICK_POINTS, sizes=QUICK_SIZES)
    return size_cells(folds, choices)


FSMRANK_SIZES = PaperExperiment(
    name="fsmrank-fig1-3",
    title="Ranking quality against the number of features: FSMRank cut down, FSMSVM and GAS-E fitted",
    source="Lai et al. 2013 (FSMRank), Figs. 1 to 3, Section IV-D",
    data="any with train, vali and test; the paper's are OHSUMED, HP2004 and MQ2008",
    help=(
        "FSMRank's model, chosen by validation NDCG@10, is cut down to its k largest weights without a refit; FSMSVM "
        "and GAS-E choose k features and are fitted to those, their C and other parameters chosen by validation "
        "NDCG@10 for each k. Means over all folds, with their standard errors. Quick: few sizes and values of C."
    ),
    cells=_cells,
    work=size_outcome,
    outcome=SizeOutcome,
    tables=size_tables,
)
