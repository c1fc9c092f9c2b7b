"""Slow and obviously right: the infinite push over explicit pairs, as linear and quadratic programs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from core.data import RankingData

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lists:
    """Of every query with positives and negatives: their rows, and the number k of top negatives."""

    data: RankingData
    queries: list[tuple[NDArray[np.int64], NDArray[np.int64], float]]

    @classmethod
    def of(cls, data: RankingData, top_share: float) -> Lists:
        queries = []
        for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
            rows = np.arange(first, last)
            positive = data.relevance[first:last] > 0
            if positive.any() and not positive.all():
                queries.append(
                    (rows[positive], rows[~positive], max(1, math.ceil(round(top_share * (~positive).sum(), 6))))
                )
        return cls(data, queries)

    def loss(self, scores: FloatArray) -> float:
        values = []
        for positives, negatives, k in self.queries:
            slack = np.maximum(0.0, 1.0 - scores[positives][:, None] + scores[negatives])
            heights = np.sort(slack.mean(axis=0))[::-1]
            values.append(heights @ np.clip(k - np.arange(len(heights)), 0.0, 1.0) / k)
        return float(np.mean(values))

    def pair_rows(self) -> tuple[FloatArray, FloatArray, FloatArray, int, FloatArray]:
        """Rows of x = (w, t, eta, xi) with A x <= b for 1 - s_i + s_j <= xi_ij and mean_i xi_ij - t <= eta_j.

        Returns A, b, the cost of (t, eta, xi), the number of variables after w, and which of them may be negative.
        """
        x = self.data.features.astype(np.float64)
        d, n_queries = x.shape[1], len(self.queries)
        n_negatives = sum(len(negatives) for _, negatives, _ in self.queries)
        n_pairs = sum(len(positives) * len(negatives) for positives, negatives, _ in self.queries)
        width = n_queries + n_negatives + n_pairs
        rows, right = [], []
        cost = np.zeros(width)
        eta, xi = n_queries, n_queries + n_negatives
        for q, (positives, negatives, k) in enumerate(self.queries):
            cost[q] = 1.0 / n_queries
            for j in negatives:
                top = np.zeros(d + width)
                top[d + q] = top[d + eta] = -1.0
                cost[eta] = 1.0 / (k * n_queries)
                for i in positives:
                    pair = np.zeros(d + width)
                    pair[:d] = x[j] - x[i]
                    pair[d + xi] = -1.0
                    top[d + xi] = 1.0 / len(positives)
                    rows.append(pair)
                    right.append(-1.0)
                    xi += 1
                rows.append(top)
                right.append(0.0)
                eta += 1
        free = np.arange(width) < n_queries
        return np.array(rows), np.array(right), cost, width, free


def optimum(
    data: RankingData, top_share: float, lam: float, beta: FloatArray, signs: FloatArray | None = None
) -> float:
    """Of loss + lam sum_j beta_j |w_j|, as a linear program over all pairs.

    An infinite beta_j fixes w_j at 0; a sign of 1 or -1 leaves it its positive or its negative part only.
    """
    rows, right, cost, _, free = Lists.of(data, top_share).pair_rows()
    d = data.n_features
    allowed = np.isfinite(beta)
    price = lam * np.where(allowed, beta, 0.0)
    whole = np.hstack([rows[:, :d], -rows[:, :d], rows[:, d:]])
    signs = np.zeros(d) if signs is None else signs
    parts = np.concatenate([allowed & (signs >= 0.0), allowed & (signs <= 0.0)])
    bounds = [(0.0, None if part else 0.0) for part in parts]
    bounds += [(None if f else 0.0, None) for f in free]
    found = linprog(np.concatenate([price, price, cost]), A_ub=whole, b_ub=right, bounds=bounds, method="highs")
    assert found.status == 0, found.message
    return float(found.fun)


def optimum_l2(data: RankingData, top_share: float, lam: float) -> float:
    """Of loss + lam / 2 ||w||^2, as the largest value of its dual over the pairs' multipliers, by SLSQP.

    alpha_ij <= p_j / m, p_j <= 1 / (k Q), sum_j p_j = 1 / Q: sum alpha - ||sum alpha_ij (x_i - x_j)||^2 / (2 lam).
    """
    lists = Lists.of(data, top_share)
    x = data.features
    differences, owner, caps, of_query = [], [], [], []
    n_queries = len(lists.queries)
    for q, (positives, negatives, k) in enumerate(lists.queries):
        for j in negatives:
            for i in positives:
                differences.append(x[i] - x[j])
                owner.append((len(caps), len(positives)))
            caps.append(1.0 / (k * n_queries))
            of_query.append(q)
    pairs = np.array(differences)
    negative, m = np.array(owner).T
    n, n_pairs = len(caps), len(pairs)
    gram = pairs @ pairs.T / lam
    links = np.zeros((n_pairs, n_pairs + n))
    links[np.arange(n_pairs), np.arange(n_pairs)] = -1.0
    links[np.arange(n_pairs), n_pairs + negative] = 1.0 / m
    sums = np.zeros((n_queries, n_pairs + n))
    sums[of_query, n_pairs + np.arange(n)] = 1.0

    def dual(z: FloatArray) -> tuple[float, FloatArray]:
        alpha = z[:n_pairs]
        pull = gram @ alpha
        return float(0.5 * alpha @ pull - alpha.sum()), np.concatenate([pull - 1.0, np.zeros(n)])

    sizes = np.bincount(of_query)
    start = np.concatenate([np.zeros(n_pairs), 1.0 / (n_queries * sizes[of_query])])
    found = minimize(
        dual, start, jac=True, method="SLSQP", bounds=[(0.0, None)] * n_pairs + [(0.0, cap) for cap in caps],
        constraints=[
            {"type": "ineq", "fun": lambda z: links @ z, "jac": lambda z: links},
            {"type": "eq", "fun": lambda z: sums @ z - 1.0 / n_queries, "jac": lambda z: sums},
        ],
        options={"maxiter": 2000, "ftol": 1e-14},
    )  # fmt: skip
    assert found.status in (0, 8), found.message  # 8: at the limits of its line search
    return -float(found.fun)


def largest_lambda(data: RankingData, top_share: float) -> float:
    """min over p_j <= 1/k, sum_j p_j = 1 of ||mean over queries of (sum_j p_j x_j - mean_i x_i)||_inf."""
    lists = Lists.of(data, top_share)
    x = data.features
    d, n_queries = data.n_features, len(lists.queries)
    centre = sum(x[positives].mean(axis=0) for positives, _, _ in lists.queries) / n_queries
    columns = np.concatenate([x[negatives] for _, negatives, _ in lists.queries]).T / n_queries
    ones = -np.ones((d, 1))
    sums = np.zeros((n_queries, columns.shape[1] + 1))
    bounds: list[tuple[float, float | None]] = []
    for q, (_, negatives, k) in enumerate(lists.queries):
        sums[q, len(bounds) : len(bounds) + len(negatives)] = 1.0
        bounds += [(0.0, 1.0 / k)] * len(negatives)
    found = linprog(
        np.append(np.zeros(columns.shape[1]), 1.0),
        A_ub=np.block([[columns, ones], [-columns, ones]]),
        b_ub=np.concatenate([centre, -centre]),
        A_eq=sums,
        b_eq=np.ones(n_queries),
        bounds=[*bounds, (0.0, None)],
    )
    assert found.status == 0, found.message
    return float(found.fun)


def wide_classes(seed: int, n_documents: int = 60, n_features: int = 2000) -> RankingData:
    """One list of two classes, far fewer documents than features, each with mean 0 and deviation 1; all is noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_documents, n_features))
    positive = (rng.random(n_documents) < 0.5).astype(np.int32)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    return RankingData.build(x, positive, np.array([0, n_documents]))


def small_problem(seed: int) -> RankingData:
    """Some queries, a few of them of no use; ties, duplicated rows, one positive, one negative, d beyond m n."""
    rng = np.random.default_rng(seed)
    relevance, features = [], []
    d = int(rng.integers(1, 12))
    for q in range(int(rng.integers(1, 5))):
        n = int(rng.integers(2, 9))
        labels = rng.integers(0, 3, n)
        if q == 0 or rng.random() < 0.7:
            labels[:2] = 1, 0
        x = rng.normal(size=(n, d)) + 0.8 * labels[:, None] * (np.arange(d) < 2)
        if rng.random() < 0.4:
            x = np.round(x)  # ties
        if rng.random() < 0.4:
            x[-1] = x[0]
        relevance.append(labels)
        features.append(x)
    offsets = np.concatenate([[0], np.cumsum([len(labels) for labels in relevance])])
    return RankingData.build(np.concatenate(features), np.concatenate(relevance), offsets)
