"""Oracles of the best subset: models of given sets over explicit pairs, random limits of sets, and a hard search."""

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from tests.oracles import FloatArray, RankSvm, optimum_l2, ranking_problem


def best_model(pairs: RankSvm, lam: float, columns: NDArray[np.integer], signs: FloatArray) -> tuple[float, FloatArray]:
    """The lowest ridge objective with these features, and its weights, which have these signs."""
    w = np.zeros(len(signs))
    if len(columns) == 0:
        return pairs.loss(w), w
    w[columns], objective = optimum_l2(RankSvm(pairs.differences[:, columns]), lam, signs[columns])
    return objective, w


def limits(kind: str, rng: np.random.Generator, n_features: int) -> tuple[float, FloatArray, FloatArray]:
    """Budget, costs and signs of a problem of this kind."""
    costs, signs, budget = np.ones(n_features), np.zeros(n_features), float(rng.integers(1, 5))
    if kind in ("costs", "everything"):
        costs, budget = rng.choice([0.3, 0.7, 1.0, 1.6, 2.5], n_features), float(rng.uniform(0.5, 4.0))
    if kind in ("forced, off", "everything"):
        costs[rng.choice(n_features, 2, replace=False)] = [0.0, np.inf]
    if kind in ("signs", "everything"):
        signs = rng.choice([-1.0, 0.0, 1.0], n_features)
    return budget, costs, signs


def with_copies(n_queries: int, n_features: int = 9) -> RankingData:
    """Features and noisy copies of them: no set is much better than the next one."""
    data = ranking_problem(3, n_queries=n_queries, n_features=n_features)
    noise = 0.2 * np.random.default_rng(5).normal(size=data.features.shape)
    return data.with_features(
        np.column_stack([data.features, data.features + noise]), [f"f{j}" for j in range(2 * n_features)]
    )
