"""The protocol of Laporte et al. (2014, §V-C) on one fold: a grid on train, a choice on vali, a measure on test."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import FoldJudge
from core.analysis.features.stability import resample
from core.analysis.penalties.several_starts import StartsSpread
from core.analysis.tuning.choice_noise import RESAMPLES, choice_noise
from core.data import Fold
from core.data.division import draw_seed
from core.data.errors import refuse
from core.experiments.run.cells import Cell, fold_identity, library_versions, protocol_version
from core.experiments.run.learners.learner import Learned
from core.experiments.run.learners.registry import get_learner
from core.metrics import JudgedLists, Measure
from core.solvers import TracePoint

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

DEFAULT_POINTS = 20
TESTED = ("MAP", "NDCG@10")
"""The measures that the papers' tables give and their tests compare."""
SHARES = ("sparsity ratio", "share of features")
"""How sparse a model is: features kept, as a share of those that are not zero everywhere, or of all."""


@dataclass(frozen=True, eq=False)
class CellResult:
    """The result of a cell, as plain data.

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
    trace : tuple of TracePoint
        The chosen model's way there.
    text : str
        The model itself where weights do not tell it; empty for a linear one.
    drawn : ndarray of int, shape (n_resamples,)
        The choice made anew on resampled validation queries: rows of ``drawn_tests``, whose first is the chosen model.
        Empty where they cannot be resampled.
    drawn_tests : dict of str to ndarray, shape (n_taken, n_test_queries)
        As ``per_query``, of every model that some of these choices take.
    """

    record: dict[str, Any]
    weights: FloatArray
    per_query: Mapping[str, FloatArray]
    trace: tuple[TracePoint, ...] = ()
    text: str = ""
    drawn: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    drawn_tests: Mapping[str, FloatArray] = field(default_factory=dict)

    def test(self, measure: str) -> float:
        """Return a measure's mean on the test part, in expectation over the orders of tied documents."""
        differ = self.record.get("expected_over_ties", {}).get("test", {})
        return float(differ.get(measure, self.record["metrics"]["test"][measure]))

    def official(self, measure: str) -> float:
        """Return the same as tables print it: under LETOR's conventions in file order among ties."""
        return float(self.record["metrics"]["test"][measure])

    def quantity(self, name: str) -> float:
        """Return "features", one of `SHARES`, or a measure as `test` does."""
        if name == "sparsity ratio":
            return self.sparsity_ratio
        size = self._units.get(name)
        return self.test(name) if size is None else float(self.record["nonzero"]) / size

    @property
    def linear(self) -> bool:
        """Whether the weights are a linear model; if not, they are importances of features."""
        return bool(self.record.get("model", "linear") == "linear")

    @property
    def sparsity_ratio(self) -> float:
        """Features used, as a share of those that are not zero everywhere."""
        return float(self.record["sparsity_ratio"])

    def over_choices(self, name: str) -> FloatArray:
        """Return a `quantity` for every choice on resampled queries, shape (n_resamples,)."""
        size = self._units.get(name)
        if size is None:
            return np.asarray(self.drawn_tests[name].mean(axis=1)[self.drawn])
        taken = [model["nonzero"] for model in self.record["choice"]["models"]]
        return np.asarray(taken, dtype=np.float64)[self.drawn] / size

    @property
    def _units(self) -> dict[str, int]:
        """By what the number of features is divided for each quantity of it."""
        usable, every = max(self.record.get("usable", 0), 1), max(len(self.weights), 1)
        return {"features": 1, "sparsity ratio": usable, "share of features": every}

    @property
    def seconds(self) -> float:
        """Solver time over the whole grid."""
        return float(self.record["times"]["grid"])


def cell_result(cell: Cell, fold: Fold, searches: Path | None = None) -> CellResult:
    """Train on the grid, choose on the validation part, and measure the chosen model once on the test part.

    A cell of a draw trains on the training queries drawn again; only what ± by training needs is kept of it. Every path
    starts anew there: from the models of all training queries it would take as many steps, and the models of non-convex
    penalties would not be those that the method gives on these queries.

    Parameters
    ----------
    cell : Cell
    fold : Fold
        Its fold; of the fingerprints that the cell names.
    searches : Path, optional
        Folder for what long searches have reached; see `Learner.learn`.

    Raises
    ------
    DataError
        If the fold or this program is not that of the cell, or the data cannot be used.
    """
    begun = time.perf_counter()
    _check(cell, fold)
    assert fold.test is not None
    judge, taught = FoldJudge(fold, cell.convention), fold
    if cell.draw:
        taught = replace(fold, train=resample(fold.train, "bootstrap", draw_seed(fold.train), cell.draw))
    learned = get_learner(cell.choice.method).learn(taught, cell, searches)
    record = learned.record | {
        "convention": cell.convention,
        "dataset": cell.dataset,
        "fold": cell.fold,
        "sparsity_ratio": judge.sparsity_ratio(learned.weights),
        "chosen_by": cell.measure,
        "times": {"fit": learned.record["seconds"], "grid": learned.grid_seconds},
    }
    if cell.draw:
        measured = JudgedLists(fold.test, cell.convention).rank(learned.score(fold.test)).summary()
        record |= {"metrics": {"test": measured}, "grid": [], "draw": cell.draw}
        result = CellResult(record, learned.weights, {})
    else:
        choice, drawn, drawn_tests = _choose_again(cell, fold, learned)
        judgement = judge.with_measure(judge.judgement(learned.score), learned.score, cell.measure)
        record |= {
            "metrics": judgement.official,
            "expected_over_ties": judgement.expected_over_ties,
            "choice": choice,
            **({"starts": StartsSpread.of(learned.minima, judge).record()} if learned.minima else {}),
            "usable": int(judge.usable_features.sum()),
            "versions": library_versions(),
        }
        chosen = {name: values[0] for name, values in drawn_tests.items()}
        result = CellResult(record, learned.weights, chosen, learned.trace, learned.text, drawn, drawn_tests)
    record["times"]["cell"] = time.perf_counter() - begun
    return result


def _choose_again(cell: Cell, fold: Fold, learned: Learned) -> tuple[dict[str, Any], IntArray, dict[str, FloatArray]]:
    """What the choice on resampled validation queries would have been, and what test says of every model it takes.

    Returns
    -------
    record : dict
        Rule, with what its own draw leaves open, number of resamples, and ``models``: each that is taken, the chosen
        one first, with its share.
    drawn : ndarray of int, shape (n_resamples,)
        Rows of those models.
    tests : dict of str to ndarray, shape (n_taken, n_test_queries)
    """
    assert fold.vali is not None
    assert fold.test is not None
    lists = JudgedLists(fold.test, cell.convention)
    table = learned.table
    noise = None if table is None else choice_noise(table, cell.rule, draw_seed(fold.vali))
    if table is None:  # the same model whatever is drawn
        taken, drawn, scorers = np.zeros(1, dtype=np.int64), np.zeros(RESAMPLES, dtype=np.int64), [learned.score]
    elif noise is None:
        taken, drawn, scorers = np.array([table.choose(cell.rule)]), np.zeros(0, dtype=np.int64), [learned.score]
    else:
        taken = np.concatenate([[noise.chosen], noise.places[noise.places != noise.chosen]])
        row = {place: i for i, place in enumerate(taken.tolist())}
        drawn = np.array([row[place] for place in noise.drawn.tolist()], dtype=np.int64)
        scorers = [learned.tried[place] for place in taken.tolist()]
    ranked = [lists.rank(score(fold.test)) for score in scorers]
    tests = {name: np.array([one.per_query(Measure.parse(name)) for one in ranked]) for name in TESTED}
    models = [
        {
            "lambda": float(table.lams[place]) if table is not None else None,
            "settings": list(table.settings[place]) if table is not None else [],
            "nonzero": int(table.sizes[place]) if table is not None else learned.record["nonzero"],
            "share": float((drawn == i).mean()) if len(drawn) else None,
            **{name: float(tests[name][i].mean()) for name in TESTED},
        }
        for i, place in enumerate(taken.tolist())
    ]
    average = {"average": table.averaged.record()} if table is not None and cell.rule == "average" else {}
    return {"rule": cell.rule, **average, "resamples": len(drawn), "models": models}, drawn, tests


def _check(cell: Cell, fold: Fold) -> None:
    if cell.code != protocol_version():
        refuse(
            f"a worker runs version {protocol_version()} of this program, but the run began with {cell.code}; start "
            "it again with the same version everywhere"
        )
    if tuple(fingerprint for _, fingerprint in fold_identity(fold)) != cell.fingerprints:
        refuse(f"fold {cell.fold} of {cell.dataset} has changed since the run began; start it again")
