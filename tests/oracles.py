"""Slow and obviously right: the RankSVM loss over preference pairs that are written out, and small problems for it.

Nothing here uses the code under test, but for `RankingData`, which only holds the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from core.data import RankingData

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every preference pair by name: document ``winner[p]`` should be above document ``loser[p]``."""

    winner: NDArray[np.int64]
    loser: NDArray[np.int64]

    @classmethod
    def of(cls, data: RankingData) -> Pairs:
        winners, losers = [], []
        for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
            for i in range(first, last):
                for j in range(first, last):
                    if data.relevance[i] > data.relevance[j]:
                        winners.append(i)
                        losers.append(j)
        return cls(np.array(winners, dtype=np.int64), np.array(losers, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.winner)

    def difference(self, rows: FloatArray) -> FloatArray:
        """Winner minus loser, for scores (n_documents,) or features (n_documents, n_features)."""
        rows = np.asarray(rows, dtype=np.float64)
        return rows[self.winner] - rows[self.loser]

    def slack(self, scores: FloatArray) -> FloatArray:
        return np.maximum(0.0, 1.0 - self.difference(scores))

    def loss(self, scores: FloatArray) -> float:
        return float(np.mean(self.slack(scores) ** 2))

    def score_gradient(self, scores: FloatArray) -> FloatArray:
        pull = 2.0 / len(self) * self.slack(scores)
        gradient = np.zeros(len(scores))
        np.add.at(gradient, self.winner, -pull)
        np.add.at(gradient, self.loser, pull)
        return gradient

    def curvature_product(self, scores: FloatArray, direction: FloatArray) -> FloatArray:
        pull = 2.0 / len(self) * (self.slack(scores) > 0.0) * self.difference(direction)
        product = np.zeros(len(scores))
        np.add.at(product, self.winner, pull)
        np.add.at(product, self.loser, -pull)
        return product

    def hessian(self, scores: FloatArray, features: FloatArray) -> FloatArray:
        """With respect to the weights."""
        active = self.difference(features)[self.slack(scores) > 0.0]
        return 2.0 / len(self) * active.T @ active

    def alpha(self, scores: FloatArray) -> FloatArray:
        """The dual point of every pair."""
        return 2.0 / len(self) * self.slack(scores)


@dataclass(frozen=True, eq=False)
class RankSvm:
    """The loss as a function of weights, over ready-made differences of features."""

    differences: FloatArray

    @classmethod
    def of(cls, data: RankingData) -> RankSvm:
        return cls(Pairs.of(data).difference(data.features))

    def loss(self, w: FloatArray) -> float:
        return float(np.mean(np.maximum(0.0, 1.0 - self.differences @ w) ** 2))

    def gradient(self, w: FloatArray) -> FloatArray:
        slack = np.maximum(0.0, 1.0 - self.differences @ w)
        return -2.0 / len(slack) * self.differences.T @ slack


def lists_of(relevance: list[list[int]], features: FloatArray) -> RankingData:
    """Ranking data from the relevance labels of every query."""
    sizes = [len(labels) for labels in relevance]
    return RankingData.build(features, np.concatenate(relevance), np.concatenate([[0], np.cumsum(sizes)]))


def all_won() -> RankingData:
    """Every pair can be won, so that the objective tends to 0 with lambda."""
    x = np.random.default_rng(0).normal(size=(20, 4))
    return lists_of((x[:, 0] >= 0).astype(int).reshape(2, 10).tolist(), x)


def judged(*queries: list[int], **ids: object) -> RankingData:
    """Documents with the labels of each query, in file order, and one feature that says nothing."""
    data = lists_of(list(queries), np.zeros((sum(map(len, queries)), 1)))
    return RankingData.build(data.features, data.relevance, data.query_offsets, **ids)  # type: ignore[arg-type]


def one_relevant_at(*ranks: Sequence[int], n_documents: int = 8) -> RankingData:
    """Queries with one relevant document, their first; feature j, falling, puts that of query q at ``ranks[j][q]``."""
    n_queries = len(ranks[0])
    columns = np.zeros((n_queries * n_documents, len(ranks)))
    for j, of_query in enumerate(ranks):
        for q, rank in enumerate(of_query):
            places = [rank, *(place for place in range(1, n_documents + 1) if place != rank)]
            columns[q * n_documents : (q + 1) * n_documents, j] = n_documents - np.array(places)
    relevance = np.tile([1] + [0] * (n_documents - 1), n_queries)
    return RankingData.build(columns, relevance, np.arange(0, len(relevance) + 1, n_documents))


def ranking_problem(
    seed: int = 0, *, n_queries: int = 20, n_documents: int = 12, n_features: int = 15, n_levels: int = 3
) -> RankingData:
    """Queries whose relevance follows a third of the features, with noise; every query has pairs.

    Features have correlations, different scales, and an offset per query, as real ones do.
    """
    rng = np.random.default_rng(seed)
    mixing = np.eye(n_features) + 0.4 * rng.normal(size=(n_features, n_features)) / np.sqrt(n_features)
    truth = np.where(np.arange(n_features) % 3 == 0, rng.choice([-1.0, 1.0], n_features), 0.0)
    features, relevance = [], []
    for _ in range(n_queries):
        base = rng.normal(size=(n_documents, n_features)) @ mixing
        liking = base @ truth + rng.normal(size=n_documents)
        features.append((base + rng.normal(size=n_features)) * rng.permutation(np.linspace(0.5, 1.5, n_features)))
        relevance.append((liking.argsort().argsort() * n_levels // n_documents).tolist())
    return lists_of(relevance, np.concatenate(features))


def optimum(pairs: RankSvm, lam: float, beta: FloatArray, signs: FloatArray | None = None) -> tuple[FloatArray, float]:
    """Weights and objective of loss + lam * sum beta_j |w_j|, by L-BFGS-B on its positive and negative parts.

    The bound problem is smooth, so a general-purpose code solves it; an infinite beta_j fixes w_j at 0, and a sign of
    1 or -1 leaves w_j that part only.
    """
    free = np.flatnonzero(np.isfinite(beta))
    inner = RankSvm(pairs.differences[:, free])
    price = lam * beta[free]

    def objective(uv: FloatArray) -> tuple[float, FloatArray]:
        u, v = np.split(uv, 2)
        gradient = inner.gradient(u - v)
        return inner.loss(u - v) + float(price @ (u + v)), np.concatenate([gradient + price, price - gradient])

    signs = np.zeros(len(beta)) if signs is None else signs
    bounds = [(0.0, None if has else 0.0) for has in np.concatenate([signs[free] >= 0.0, signs[free] <= 0.0])]
    uv, best = np.zeros(2 * len(free)), np.inf
    for _ in range(20):  # afresh from where it stalled: its idea of the curvature is then new
        found = minimize(
            objective, uv, jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 0.0, "gtol": 1e-13, "maxcor": 30},
        )  # fmt: skip
        uv = found.x
        if found.fun >= best * (1.0 - 1e-15):
            break
        best = found.fun
    w = np.zeros(len(beta))
    w[free] = np.subtract(*np.split(uv, 2))
    return w, float(min(best, found.fun))


def optimum_l2(pairs: RankSvm, lam: float, signs: FloatArray | None = None) -> tuple[FloatArray, float]:
    """Weights and objective of loss + lam / 2 ||w||^2, by L-BFGS; signs are bounds of the optimiser."""
    d = pairs.differences.shape[1]
    bounds = None if signs is None else [(0.0 if s > 0 else None, 0.0 if s < 0 else None) for s in signs]

    def objective(w: FloatArray) -> tuple[float, FloatArray]:
        return pairs.loss(w) + 0.5 * lam * float(w @ w), pairs.gradient(w) + lam * w

    found = minimize(
        objective, np.zeros(d), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": 20_000, "ftol": 0.0, "gtol": 1e-13, "maxcor": 30},
    )  # fmt: skip
    return found.x, float(found.fun)
