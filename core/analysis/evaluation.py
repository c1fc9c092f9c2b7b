"""A model's metrics on every part of a fold."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, Fold, RankingData
from core.metrics import JudgedLists, sparsity_ratio, usable_features

FloatArray = NDArray[np.float64]


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

    def metrics(self, weights: FloatArray) -> dict[str, dict[str, float]]:
        """MAP, NDCG@1-10, P@1-10, MeanNDCG, Top by part, for weights of shape (n_features,)."""
        return self.metrics_of(lambda data: np.asarray(data.features @ weights))

    def metrics_of(self, score: Callable[[RankingData], FloatArray]) -> dict[str, dict[str, float]]:
        """The same for any model, which gives every document of a part its score, shape (n_documents,)."""
        return {part: lists.rank(score(lists.data)).summary() for part, lists in self._lists.items()}

    def sparsity_ratio(self, weights: FloatArray) -> float:
        """Non-zero features over features that are not zero everywhere (Laporte et al. 2014, Section V-B)."""
        return sparsity_ratio(weights, self.usable_features)
