"""The protocol of Laporte et al. (2014, §V-C) on one fold: a grid on train, a choice on vali, one look at test."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import FoldJudge
from core.data import DataError, Fold
from core.experiments.cells import Cell, fold_fingerprints
from core.experiments.code_version import code_version, library_versions
from core.experiments.learner import Columns, Question
from core.experiments.learners import get_learner
from core.metrics import JudgedLists, Measure

FloatArray = NDArray[np.float64]

DEFAULT_POINTS = 20
TESTED = ("MAP", "NDCG@10")
"""The measures that the papers' tables give and their tests compare."""


@dataclass(frozen=True, eq=False)
class CellResult:
    """What a cell came to; plain data.

    Attributes
    ----------
    record : dict
        The chosen model as ``fit --json`` prints it, without its trace and with ``model`` ("linear", or what else it
        is), ``dataset``, ``fold``, ``sparsity_ratio``, ``grid`` (one entry a setting tried: what it reached, and its
        value on the validation part) and ``times``, seconds by what they were spent on: ``fit`` for the chosen model,
        ``grid`` for all of them, ``cell`` from beginning to end.
    weights : ndarray, shape (n_features,)
        Of a linear model; of any other the importance of each feature.
    per_query : dict of str to ndarray, shape (n_test_queries,)
        Average precision (as "MAP") and NDCG@10 of every query of the test part.
    trace : dict of str to ndarray
        The chosen model's way there: columns of equal length, one row a step (`trace_columns`). Empty in stores of
        before there were traces.
    text : str
        The model itself where weights do not tell it; empty for a linear one.
    """

    record: dict[str, Any]
    weights: FloatArray
    per_query: Mapping[str, FloatArray]
    trace: Columns = field(default_factory=dict)
    text: str = ""

    def test(self, measure: str) -> float:
        """A measure's mean on the test part."""
        return float(self.record["metrics"]["test"][measure])

    @property
    def linear(self) -> bool:
        """Whether the weights are a model; else they say how important each feature is to one."""
        return bool(self.record.get("model", "linear") == "linear")

    @property
    def sparsity_ratio(self) -> float:
        """Features used, as a share of those that are not zero everywhere."""
        return float(self.record["sparsity_ratio"])

    @property
    def seconds(self) -> float:
        """Solver's time over the whole grid."""
        return float(self.record["times"]["grid"])


def work_out(cell: Cell, fold: Fold) -> CellResult:
    """Train on the grid, choose on the validation part, and measure the chosen model once on the test part.

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
    assert fold.test is not None
    question = Question(dict(cell.settings), cell.points, cell.measure, cell.convention)
    learned = get_learner(cell.choice.method).learn(fold, question)
    judge = FoldJudge(fold, cell.convention)
    ranked = JudgedLists(fold.test, cell.convention).rank(learned.score(fold.test))
    record = learned.record | {
        "metrics": judge.metrics_of(learned.score),
        "convention": cell.convention,
        "dataset": cell.dataset,
        "fold": cell.fold,
        "sparsity_ratio": judge.sparsity_ratio(learned.weights),
        "chosen_by": cell.measure,
        "versions": library_versions(),
        "times": {
            "fit": learned.record["seconds"],
            "grid": learned.grid_seconds,
            "cell": time.perf_counter() - begun,
        },
    }
    per_query = {name: ranked.per_query(Measure.parse(name)) for name in TESTED}
    return CellResult(record, learned.weights, per_query, learned.trace, learned.text)


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
