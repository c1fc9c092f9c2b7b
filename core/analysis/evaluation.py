"""Metrics of a model on every part of a fold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, Fold, RankingData
from core.metrics import JudgedLists, Measure, sparsity_ratio, usable_features
from core.solvers.problem import pair_scores

FloatArray = NDArray[np.float64]
Metrics = dict[str, dict[str, float]]
"""Values by part, then by measure."""

Scorer = FloatArray | Callable[[RankingData], FloatArray]
"""Weights of a linear model, shape (n_features,), or a function from a part to its documents' scores."""

SMALLEST_DIFFERENCE = 1e-12
"""Two ways to sum up the same ranking differ by less than this."""


def printed_rows(official: Metrics, expected: Metrics, measures: Sequence[str]) -> Metrics:
    """Return the rows of a table: the mean over orders of each part, and below it, with *, what differs in file order.

    Parameters
    ----------
    official, expected : dict
        By part, then by measure: the values in file order, and those that differ over the orders of ties.
    measures : sequence of str
        The columns; those that are not known are left out.
    """
    rows: Metrics = {}
    for part, values in official.items():
        in_file_order = {m: values[m] for m in measures if m in values}
        rows[part] = {m: expected.get(part, {}).get(m, value) for m, value in in_file_order.items()}
        if any(f"{rows[part][m]:.4f}" != f"{value:.4f}" for m, value in in_file_order.items()):
            rows[f"{part}*"] = in_file_order
    return rows


@dataclass(frozen=True)
class Judgement:
    """A model's metrics on every part.

    Attributes
    ----------
    metrics : dict
        Values by part, then by measure, in expectation over the orders of tied documents.
    in_file_order : dict
        Those which the official script of LETOR counts differently because tied documents keep the order of the file;
        empty under the standard convention. They are only for comparison with print.
    """

    metrics: Metrics = field(default_factory=dict)
    in_file_order: Metrics = field(default_factory=dict)

    @property
    def official(self) -> Metrics:
        """The values that tables print: as the official script of the convention counts."""
        return {part: values | self.in_file_order.get(part, {}) for part, values in self.metrics.items()}

    @property
    def expected_over_ties(self) -> Metrics:
        """The values of `metrics` that differ from the `official` ones."""
        return {part: {m: self.metrics[part][m] for m in values} for part, values in self.in_file_order.items()}


def _scores(model: Scorer, data: RankingData) -> FloatArray:
    return model(data) if callable(model) else pair_scores(data, model)


class FoldJudge:
    """Measures models on train, vali and test under one convention.

    Everything that does not depend on the model is computed once, because a path measures hundreds of models.
    """

    def __init__(self, fold: Fold, convention: Convention) -> None:
        self.fold = fold
        self.convention = convention
        self._lists = {part: JudgedLists(data, convention) for part, data in fold.parts().items()}

    @cached_property
    def fingerprint(self) -> str:
        """That of the fold, with the convention."""
        return f"{self.fold.fingerprint} {self.convention}"

    @cached_property
    def usable_features(self) -> NDArray[np.bool_]:
        """Features that are not zero everywhere in the training part, shape (n_features,)."""
        return usable_features(self.fold.train)

    def judgement(self, model: Scorer) -> Judgement:
        """Measure a model: MAP, NDCG@1-10, P@1-10, MeanNDCG and Top by part."""
        metrics: Metrics = {}
        in_file_order: Metrics = {}
        for part, lists in self._lists.items():
            ranked = lists.rank(_scores(model, lists.data))
            metrics[part] = ranked.summary()
            if ranked.official is not ranked:
                official = ranked.official.summary()
                differs = {m: v for m, v in official.items() if abs(v - metrics[part][m]) > SMALLEST_DIFFERENCE}
                in_file_order |= {part: differs} if differs else {}
        return Judgement(metrics, in_file_order)

    def with_measure(self, judgement: Judgement, model: Scorer, measure: str) -> Judgement:
        """Return a model's judgement with a measure that `judgement` leaves out, such as RR, ERR and R@k.

        Raises a `ValueError` if there is no such measure.
        """
        name = str(Measure.parse(measure))
        metrics = {part: dict(values) for part, values in judgement.metrics.items()}
        in_file_order = {part: dict(values) for part, values in judgement.in_file_order.items()}
        for part, values in metrics.items():
            if name in values:
                continue
            ranked = self._lists[part].rank(_scores(model, self._lists[part].data))
            values[name] = ranked.mean(Measure.parse(name))
            official = ranked.official.mean(Measure.parse(name))
            if abs(official - values[name]) > SMALLEST_DIFFERENCE:
                in_file_order.setdefault(part, {})[name] = official
        return Judgement(metrics, in_file_order)

    def metrics(self, weights: FloatArray) -> Metrics:
        """Return the metrics of `judgement` alone; in half the time under LETOR's conventions where scores are tied."""
        return {part: lists.rank(pair_scores(lists.data, weights)).summary() for part, lists in self._lists.items()}

    def per_query(self, weights: FloatArray, part: str, measure: str) -> FloatArray:
        """Compute a measure for every query of a part, over the orders of tied documents, shape (n_queries,).

        Raises a `KeyError` if the fold has no such part, and a `ValueError` if there is no such measure.

        Parameters
        ----------
        weights : ndarray, shape (n_features,)
        """
        lists = self._lists[part]
        return lists.rank(pair_scores(lists.data, weights)).per_query(Measure.parse(measure))

    def sparsity_ratio(self, weights: FloatArray) -> float:
        """Compute non-zero features over features that are not zero everywhere (Laporte et al. 2014, Section V-B)."""
        return sparsity_ratio(weights, self.usable_features)
