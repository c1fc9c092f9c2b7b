"""The protocol of Laporte et al. (2014, §V-C) on one fold: a grid on train, a choice on vali, one look at test."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, regularization_path
from core.analysis.records import empty_optimum_record, fit_record
from core.analysis.tuning import best_on_validation
from core.data import DataError, Fold
from core.experiments.cells import Cell, fold_fingerprints
from core.experiments.code_version import code_version, library_versions
from core.methods import EmptyOptimumError, Fit, Method, Training, get_method
from core.metrics import JudgedLists, Measure
from core.solvers import Stop

FloatArray = NDArray[np.float64]

DEFAULT_POINTS = 20
TESTED = ("MAP", "NDCG@10")
"""The measures that the papers' tables give and their tests compare."""
WARM_UP = Stop(max_steps=2)  # loading compiled kernels is not the solver's time


@dataclass(frozen=True, eq=False)
class CellResult:
    """What a cell came to; plain data.

    Attributes
    ----------
    record : dict
        The chosen model as ``fit --json`` prints it, with ``dataset``, ``fold``, ``sparsity_ratio``, ``grid`` (one
        entry a lambda: what it reached, and its value on the validation part) and ``times``, seconds by what they were
        spent on: ``fit`` for the chosen model, ``grid`` for all of them, ``cell`` from beginning to end.
    weights : ndarray, shape (n_features,)
    per_query : dict of str to ndarray, shape (n_test_queries,)
        Average precision (as "MAP") and NDCG@10 of every query of the test part.
    """

    record: dict[str, Any]
    weights: FloatArray
    per_query: dict[str, FloatArray]

    def test(self, measure: str) -> float:
        """A measure's mean on the test part."""
        return float(self.record["metrics"]["test"][measure])

    @property
    def sparsity_ratio(self) -> float:
        """Features used, as a share of those that are not zero everywhere."""
        return float(self.record["sparsity_ratio"])

    @property
    def seconds(self) -> float:
        """Solver's time over the whole grid."""
        return float(self.record["times"]["grid"])


def protocol_grid(method: Method, training: Training, points: int) -> FloatArray:
    """The method's own grid where it has no more values than that, else so many evenly spaced in log over its range.

    Raises
    ------
    DataError
        If lambda_max is 0.
    """
    lams = method.grid(training)
    return lams if len(lams) <= points else np.geomspace(lams[0], lams[-1], points)


def work_out(cell: Cell, fold: Fold) -> CellResult:
    """Train on the grid, choose on the validation part, and measure the chosen model once on the test part.

    Among models with the same validation value the one with the largest lambda is chosen.

    Parameters
    ----------
    cell : Cell
    fold : Fold
        Its fold; of the fingerprints that the cell names.

    Raises
    ------
    DataError
        If the fold or this program is not that of the cell, or the data cannot be used.
    """
    begun = time.perf_counter()
    _check(cell, fold)
    method, parameters = get_method(cell.choice.method), dict(cell.settings)
    judge = FoldJudge(fold, cell.convention)
    training = method.training(fold.train, parameters)
    try:
        lams = protocol_grid(method, training, cell.points)
    except EmptyOptimumError as empty:
        fit = method.fit(training, 1.0, parameters=parameters)  # the same at every lambda
        record = empty_optimum_record(fit, empty, judge.metrics(fit.weights), cell.convention)
        points: list[PathPoint] = []
    else:
        method.fit(training, float(lams[0]), parameters=parameters, stop=WARM_UP)
        points = list(_validated(cell, fold, method, training, lams))
        fit = best_on_validation(points, cell.measure).fit
        record = fit_record(fit, judge.metrics(fit.weights), cell.convention)
    grid = [_grid_point(point, cell.measure) for point in points]
    record |= {
        "dataset": cell.dataset,
        "fold": cell.fold,
        "sparsity_ratio": judge.sparsity_ratio(fit.weights),
        "chosen_by": cell.measure,
        "grid": grid,
        "versions": library_versions(),
        "times": {
            "fit": fit.result.seconds,
            "grid": sum(point["seconds"] for point in grid) if grid else fit.result.seconds,
            "cell": time.perf_counter() - begun,
        },
    }
    return CellResult(record, fit.weights, _per_query(cell, fold, fit))


def _check(cell: Cell, fold: Fold) -> None:
    if cell.code != code_version():
        msg = (
            f"a worker runs version {code_version()} of this program and the run was begun with {cell.code}; "
            "start it again with the same version everywhere"
        )
        raise DataError(msg)
    if fold_fingerprints(fold, cell.dataset) != cell.fingerprints:
        msg = f"fold {cell.fold} of {cell.dataset} is not what it was when the run was begun; start it again"
        raise DataError(msg)


def _validated(cell: Cell, fold: Fold, method: Method, training: Training, lams: FloatArray) -> Iterator[PathPoint]:
    """The path with the value of every model on the validation part, and nothing else measured."""
    assert fold.vali is not None
    vali, measure = JudgedLists(fold.vali, cell.convention), Measure.parse(cell.measure)
    for point in regularization_path(method, training, lams, parameters=dict(cell.settings)):
        value = vali.rank(fold.vali.features @ point.fit.weights).mean(measure)
        yield PathPoint(point.fit, {"vali": {str(measure): value}})


def _grid_point(point: PathPoint, measure: str) -> dict[str, Any]:
    result = point.fit.result
    return {
        "lambda": point.fit.lam,
        "C": point.fit.c,
        "vali": point.metrics["vali"][measure],
        "nonzero": result.nonzero,
        "objective": result.objective,
        "certificate": {"kind": result.certificate.kind, "relative": result.certificate.relative},
        "stop": result.stop,
        "steps": result.steps,
        "passes": result.passes,
        "seconds": result.seconds,
    }


def _per_query(cell: Cell, fold: Fold, fit: Fit) -> dict[str, FloatArray]:
    assert fold.test is not None
    ranked = JudgedLists(fold.test, cell.convention).rank(fold.test.features @ fit.weights)
    return {name: ranked.per_query(Measure.parse(name)) for name in TESTED}
