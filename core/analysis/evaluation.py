"""A model's metrics on every part of a fold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import choosing_part
from core.data import Convention, Fold, RankingData
from core.metrics import JudgedLists, Measure, sparsity_ratio, usable_features
from core.solvers.problem import scores_of

FloatArray = NDArray[np.float64]
Metrics = dict[str, dict[str, float]]
"""By part, then by measure."""

SMALLEST_DIFFERENCE = 1e-12
"""Two ways to add up the same ranking differ by less."""


@dataclass(frozen=True)
class Judgement:
    """What a model is worth on every part: as the official scripts count, and without the help of the file's order.

    Attributes
    ----------
    metrics : dict
        By part, then by measure; tied documents keep the order of the file, as in the official scripts. To be reported.
    expected : dict
        The same in expectation over the orders of tied documents, where that differs; empty where nothing is tied. To
        be chosen by.
    """

    metrics: Metrics = field(default_factory=dict)
    expected: Metrics = field(default_factory=dict)

    def fair(self, part: str, measure: str) -> float:
        """The measure in expectation over the orders of tied documents.

        Raises
        ------
        KeyError
            If there is no such part or measure.
        """
        official = self.metrics[part][measure]
        return self.expected.get(part, {}).get(measure, official)

    def shown(self, part: str, measure: str) -> float:
        """What pictures of many models draw: the part that models are chosen on as they are chosen by it.

        The other parts are drawn as they are reported.
        """
        return self.fair(part, measure) if part == choosing_part(self.metrics) else self.metrics[part][measure]


class FoldJudge:
    """Measures models on train, vali and test under one convention.

    What does not depend on the model is prepared once: a path measures hundreds.

    Parameters
    ----------
    fold : Fold
    convention : {"standard", "letor3", "letor4"}
    """

    def __init__(self, fold: Fold, convention: Convention) -> None:
        self.fold = fold
        self.convention = convention
        self._lists = {part: JudgedLists(data, convention) for part, data in fold.parts().items()}

    @cached_property
    def usable_features(self) -> NDArray[np.bool_]:
        """Features that are not zero everywhere in the training part, shape (n_features,)."""
        return usable_features(self.fold.train)

    def judgement(self, weights: FloatArray) -> Judgement:
        """MAP, NDCG@1-10, P@1-10, MeanNDCG, Top by part, for weights of shape (n_features,)."""
        return self.judgement_of(lambda data: scores_of(data.features, weights))

    def judgement_of(self, score: Callable[[RankingData], FloatArray]) -> Judgement:
        """The same for any model, which gives every document of a part its score, shape (n_documents,)."""
        metrics: Metrics = {}
        expected: Metrics = {}
        for part, lists in self._lists.items():
            ranked = lists.rank(score(lists.data))
            metrics[part] = ranked.summary()
            if ranked.expected is not ranked:
                fair = ranked.expected.summary()
                differs = {m: v for m, v in fair.items() if abs(v - metrics[part][m]) > SMALLEST_DIFFERENCE}
                expected |= {part: differs} if differs else {}
        return Judgement(metrics, expected)

    def metrics(self, weights: FloatArray) -> Metrics:
        """`judgement` as the official scripts count."""
        return self.judgement(weights).metrics

    def per_query(self, weights: FloatArray, part: str, measure: str, *, fair: bool) -> FloatArray:
        """A measure's value for every query of a part, shape (n_queries,).

        Parameters
        ----------
        weights : ndarray, shape (n_features,)
        part : {"train", "vali", "test"}
        measure : str
        fair : bool
            In expectation over the orders of tied documents, as choices are made; else as the official scripts count.

        Raises
        ------
        KeyError
            If the fold has no such part.
        ValueError
            If there is no such measure.
        """
        lists = self._lists[part]
        ranked = lists.rank(scores_of(lists.data.features, weights))
        return (ranked.expected if fair else ranked).per_query(Measure.parse(measure))

    def sparsity_ratio(self, weights: FloatArray) -> float:
        """Non-zero features over features that are not zero everywhere (Laporte et al. 2014, Section V-B)."""
        return sparsity_ratio(weights, self.usable_features)
