"""LambdaMART by LightGBM, a reference row: the quality that an ensemble of trees reaches with all features."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import ChoiceTable
from core.data import DataError, Fold, RankingData
from core.data.division import query_order
from core.data.errors import refuse
from core.experiments.run.learners.learner import Learned, Learner, Question
from core.metrics import JudgedLists, Measure
from core.metrics.equal_values import first_highest
from core.penalties import Parameter

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LEAVES = (4, 8, 16)
RATES = (0.05, 0.1)
"""Sizes and learning rates tried, small trees first; the number of trees is chosen tree by tree."""
LONGEST_LIST = 10_000
"""Largest number of documents of a query that LightGBM accepts."""
SEED = 0
PARAMETERS = (
    Parameter("trees", "T", 300.0, 1.0, 10_000.0, "The most trees; the validation part chooses how many are used."),
    Parameter(
        "leaf_documents", "n", 20.0, 1.0, 10_000.0, "The fewest documents in a leaf; more make the model smoother."
    ),
)


@dataclass(frozen=True, eq=False)
class _Ensemble:
    """Trees grown at one size and rate, and how many of them are used.

    ``vali`` is the measure on every validation query with 1, 2, … trees, shape (n_trees, n_queries).
    """

    booster: Any
    leaves: int
    rate: float
    trees: int
    vali: FloatArray
    seconds: FloatArray

    @property
    def best(self) -> float:
        return float(self.vali[self.trees - 1].mean())

    @property
    def sizes(self) -> IntArray:
        """Number of features in the splits of the first 1, 2, … trees, shape (n_trees,)."""
        gains = [self.booster.feature_importance("split", iteration=k + 1) for k in range(len(self.vali))]
        return np.array([np.count_nonzero(gain) for gain in gains], dtype=np.int64)

    def score(self, data: RankingData) -> FloatArray:
        scores = self.booster.predict(data.features, num_iteration=self.trees, raw_score=True, num_threads=1)
        return np.array(scores, dtype=np.float64)

    @property
    def importance(self) -> FloatArray:
        """Share of each feature in the gain of all splits; 0 for a feature without a split."""
        gain: FloatArray = np.array(self.booster.feature_importance("gain", iteration=self.trees), dtype=np.float64)
        return gain / max(float(gain.sum()), np.finfo(np.float64).tiny)


class LambdaMart(Learner):
    """LambdaMART (Burges 2010; Ke et al. 2017). Deterministic: one thread, one seed, sums in the order of the data."""

    id = "lambdamart"
    title = "LambdaMART"
    source = (
        "Burges (2010), From RankNet to LambdaRank to LambdaMART, MSR-TR-2010-82; "
        "Ke et al. (2017), LightGBM: A Highly Efficient Gradient Boosting Decision Tree, NIPS"
    )
    linear = False
    parameters = PARAMETERS

    @property
    def missing(self) -> str | None:
        """What to install if LightGBM is missing or does not load; None if it works."""
        try:
            import lightgbm  # noqa: F401
        except ImportError:
            return "LightGBM is not installed; pip install 'sparse-ranking-lab[lambdamart]', or leave out lambdamart"
        except OSError as error:  # a library of the system that it needs
            return f"LightGBM is installed but cannot be loaded ({error}); fix that, or leave out lambdamart"
        return None

    def learn(self, fold: Fold, question: Question, searches: Path | None = None) -> Learned:
        """Grow trees of every size at every rate; among equals on the validation part the fewest, smallest trees win.

        There is no search to keep.

        Raises
        ------
        DataError
            If LightGBM is missing, or a list is too long for it.
        """
        if self.missing is not None:
            raise DataError(self.missing)
        _check_lists(fold)
        parts = _parts(fold)
        grown = [
            _grow(fold, parts, leaves, rate, question)
            for leaves, rate in list(product(LEAVES, RATES))[: question.points]
        ]
        tried = [replace(one, trees=k + 1) for one in grown for k in range(len(one.vali))]
        assert fold.vali is not None
        table = ChoiceTable(
            values=np.take(np.concatenate([one.vali for one in grown]), query_order(fold.vali), axis=1),
            lams=np.array([1.0 / one.trees for one in tried]),  # fewer trees, a simpler model
            sizes=np.concatenate([one.sizes for one in grown]),
            settings=[(one.leaves, one.rate) for one in tried],
        )
        best = tried[table.choose(question.rule)]
        grid = [_grid_entry(one) for one in grown]
        weights = best.importance
        return Learned(
            record=_record(best, fold.train.feature_names, weights, question) | {"grid": grid},
            score=best.score,
            weights=weights,
            trace=(),
            grid_seconds=sum(entry["seconds"] for entry in grid),
            table=table,
            tried=[one.score for one in tried],
            text=str(best.booster.model_to_string(num_iteration=best.trees)),
        )


def _check_lists(fold: Fold) -> None:
    longest = max(int(np.diff(data.query_offsets).max()) for data in (fold.train, fold.vali) if data is not None)
    if longest > LONGEST_LIST:
        refuse(f"a query has {longest:,} documents and LightGBM takes {LONGEST_LIST:,}; leave out lambdamart here")


def _parts(fold: Fold) -> tuple[Any, Any]:
    """Make LightGBM's training and validation part; they are binned once for all trees."""
    from lightgbm import Dataset

    def dataset(data: RankingData, bins_of: Any) -> Any:
        how = {"feature_pre_filter": False, "verbosity": -1, "num_threads": 1}
        lists = np.diff(data.query_offsets)
        return Dataset(data.features, data.relevance, reference=bins_of, group=lists, params=how, free_raw_data=False)

    assert fold.vali is not None
    train = dataset(fold.train, None)
    return train, dataset(fold.vali, train)


def _grow(fold: Fold, parts: tuple[Any, Any], leaves: int, rate: float, question: Question) -> _Ensemble:
    import lightgbm

    assert fold.vali is not None
    vali, measure = JudgedLists(fold.vali, question.convention), Measure.parse(question.measure)
    given = dict(question.settings)
    values: list[FloatArray] = []
    seconds: list[float] = []
    begun = time.perf_counter()
    measuring = 0.0

    def judge(scores: FloatArray, _: Any) -> tuple[str, float, bool]:
        nonlocal measuring
        now = time.perf_counter()
        seconds.append(now - begun - measuring)
        values.append(vali.rank(scores).per_query(measure))
        measuring += time.perf_counter() - now
        return str(measure), float(values[-1].mean()), True

    highest = max(int(data.relevance.max()) for data in (fold.train, fold.vali))
    how = {
        "objective": "lambdarank",
        "num_leaves": leaves,
        "learning_rate": rate,
        "min_data_in_leaf": int(given["leaf_documents"]),
        "label_gain": [2.0**level - 1.0 for level in range(highest + 1)],
        "metric": "None",
        "seed": SEED,
        "deterministic": True,
        "force_col_wise": True,
        "num_threads": 1,
        "feature_pre_filter": False,
        "verbosity": -1,
    }
    train, measured = parts
    booster = lightgbm.train(how, train, int(given["trees"]), valid_sets=[measured], feval=judge)
    table = np.array(values)
    trees = first_highest(table.mean(axis=1)) + 1
    return _Ensemble(booster, leaves, rate, trees, table, np.array(seconds))


def _grid_entry(grown: _Ensemble) -> dict[str, Any]:
    return {
        "leaves": grown.leaves,
        "rate": grown.rate,
        "trees": grown.trees,
        "vali": grown.best,
        "nonzero": int(np.count_nonzero(grown.importance)),
        "seconds": float(grown.seconds[-1]),
    }


def _record(best: _Ensemble, names: tuple[str, ...], importance: FloatArray, question: Question) -> dict[str, Any]:
    used = np.flatnonzero(importance)
    used = used[np.argsort(-importance[used], kind="stable")]
    features = [{"index": int(j) + 1, "name": names[j], "importance": float(importance[j])} for j in used]
    return {
        "method": LambdaMart.id,
        "model": "trees",
        "solver": "lightgbm",
        "parameters": dict(question.settings),
        "chosen": {"leaves": best.leaves, "rate": best.rate, "trees": best.trees},
        **dict.fromkeys(("lambda", "C", "lambda_max", "lambda_ratio", "objective", "certificate", "passes")),
        "stop": "number of trees chosen on the validation part",
        "steps": best.trees,
        "seconds": float(best.seconds[best.trees - 1]),
        "nonzero": len(used),
        "features": features,
    }
