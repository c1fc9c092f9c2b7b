"""What an audit compares with: the loss over pairs that are written out, measures by their definitions, and a check.

All of it is slow, and has no code of the fast losses and measures.
"""

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray


@dataclass(frozen=True)
class Check:
    """An answer of this program beside an independent one.

    Attributes
    ----------
    what : str
        The quantity.
    by : str
        What has computed ``theirs``.
    allowed : float
        How far ``ours`` may be from ``theirs`` on the wrong side.
    relation : {"equal", "at most", "at least"}
        What ``ours`` has to be: a lower bound may lie below by any amount, a claimed residual above.
    """

    what: str
    ours: float
    theirs: float
    by: str
    allowed: float
    relation: Literal["equal", "at most", "at least"] = "equal"

    @property
    def agrees(self) -> bool:
        """Whether the two are as near as they have to be; a number that is not finite never is."""
        apart = self.ours - self.theirs
        wrong = {"equal": abs(apart), "at most": apart, "at least": -apart}[self.relation]
        return wrong <= self.allowed

    def record(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return {
            "what": self.what,
            "ours": self.ours,
            "theirs": self.theirs,
            "difference": self.ours - self.theirs,
            "allowed": self.allowed,
            "relation": self.relation,
            "by": self.by,
            "agrees": self.agrees,
        }


@dataclass(frozen=True)
class NotCompared:
    """A quantity for which there is no independent answer here, and why."""

    what: str
    why: str


STARTS = 5


@dataclass(frozen=True, eq=False)
class ExplicitPairs:
    """The difference of features of every preference pair, in memory.

    Attributes
    ----------
    differences : ndarray of float64, shape (n_pairs, n_features)
        Features of the more relevant document minus those of the other.
    """

    differences: FloatArray

    @classmethod
    def of(cls, data: RankingData) -> Self:
        """Write down the pairs of all queries."""
        x = data.features.astype(np.float64)
        rows = []
        for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
            labels = data.relevance[first:last]
            above, below = np.nonzero(labels[:, None] > labels[None, :])
            rows.append(x[first + above] - x[first + below])
        return cls(np.concatenate(rows))

    def loss(self, w: FloatArray) -> float:
        """Return the mean over pairs of max(0, 1 - x.w)^2."""
        return float(np.mean(np.maximum(0.0, 1.0 - self.differences @ w) ** 2))

    def gradient(self, w: FloatArray) -> FloatArray:
        """Return the derivative of the loss, shape (n_features,)."""
        slack = np.maximum(0.0, 1.0 - self.differences @ w)
        return -2.0 / len(slack) * (slack @ self.differences)

    def liblinear(self, lam: float) -> tuple[FloatArray, bool]:
        """Return the weights that LIBLINEAR finds for loss + lam * sum_j |w_j|, and whether it has converged.

        Its objective ||w||_1 + C sum_p slack_p^2 is that over lam, with C = 1 / (lam P). Every other pair is reversed,
        because LIBLINEAR needs two classes.
        """
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import LinearSVC

        signs = np.where(np.arange(len(self.differences)) % 2 == 0, 1.0, -1.0)
        model = LinearSVC(
            penalty="l1", loss="squared_hinge", dual=False, fit_intercept=False, C=1.0 / (lam * len(signs)),
            tol=1e-6, max_iter=1000, random_state=0,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(self.differences * signs[:, None], signs)
        return np.asarray(model.coef_[0], dtype=np.float64), bool(np.max(model.n_iter_) < model.max_iter)

    def best_lasso(self, lam: float) -> float:
        """Return the minimum of loss + lam * sum_j |w_j|, by L-BFGS-B on the positive and negative parts of w."""

        def objective(parts: FloatArray) -> tuple[float, FloatArray]:
            u, v = np.split(parts, 2)
            gradient = self.gradient(u - v)
            return self.loss(u - v) + lam * float(parts.sum()), np.concatenate([gradient + lam, lam - gradient])

        d = self.differences.shape[1]
        return _minimum(objective, np.zeros(2 * d), [(0.0, None)] * (2 * d))

    def best_ridge(self, columns: list[int], lam: float) -> float:
        """Return the minimum of loss + lam / 2 * |w|^2 over the weights of these columns, by L-BFGS."""
        inner = ExplicitPairs(np.ascontiguousarray(self.differences[:, columns]))

        def objective(w: FloatArray) -> tuple[float, FloatArray]:
            return inner.loss(w) + 0.5 * lam * float(w @ w), inner.gradient(w) + lam * w

        return _minimum(objective, np.zeros(len(columns)))


def _minimum(
    objective: Callable[[FloatArray], tuple[float, FloatArray]],
    start: FloatArray,
    bounds: Sequence[tuple[float, None]] | None = None,
) -> float:
    """L-BFGS-B, begun afresh from where it ends while that helps: its idea of the curvature is then new."""
    best, x = np.inf, start
    for _ in range(STARTS):
        found = minimize(
            objective, x, jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": 2000, "maxfun": 4000, "ftol": 1e-13, "gtol": 1e-9},
        )  # fmt: skip
        if not found.fun < best - 1e-9 * abs(best):
            break
        best, x = float(found.fun), found.x
    return min(best, float(found.fun))


MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10")


def plain_measure(name: str, data: RankingData, scores: ArrayLike, convention: Convention) -> float:
    """Return the mean of a measure over all queries, and over the orders of tied documents.

    Parameters
    ----------
    name : str
        One of `MEASURES`, with any cutoff.
    scores : array-like, shape (n_documents,)
    convention : {"standard", "letor3", "letor4"}
        The scripts of LETOR discount rank 2 as rank 1, and count NDCG@k as 0 in a list of fewer than k documents;
        LETOR 3.0's also counts P@k as 0 there.
    """
    kind, _, cutoff = name.partition("@")
    return math.fsum(_of_list(kind, groups, int(cutoff or 0), convention) for groups in _ranked(data, scores)) / (
        data.n_queries
    )


def ir_measures_mean(name: str, data: RankingData, scores: ArrayLike) -> float:
    """Return the mean of a measure by the library ir_measures; raises ImportError where it is not installed.

    Scores are replaced by places, because trec_eval breaks ties by the names of documents.
    """
    import ir_measures

    qrels, run = [], []
    for q, (first, last) in enumerate(zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)):
        order = np.argsort(-np.asarray(scores)[first:last], kind="stable")
        for place, row in enumerate(order):
            run.append(ir_measures.ScoredDoc(str(q), str(row), float(len(order) - place)))
            qrels.append(ir_measures.Qrel(str(q), str(row), int(data.relevance[first + row])))
    asked = ir_measures.parse_measure(name)
    return math.fsum(found.value for found in ir_measures.iter_calc([asked], qrels, run)) / data.n_queries


def places(data: RankingData, scores: ArrayLike) -> np.ndarray:
    """Return scores of the same order without ties: tied documents keep the order of the file."""
    found, values = np.empty(data.n_documents), np.asarray(scores)
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        found[first + np.argsort(-values[first:last], kind="stable")] = -np.arange(last - first)
    return found


def _ranked(data: RankingData, scores: ArrayLike) -> Iterator[list[list[int]]]:
    """The labels of each query, best score first, those of tied documents together."""
    values = np.asarray(scores)
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        order = sorted(range(first, last), key=lambda row: -values[row])
        rounding = 1e-15 * float(np.abs(values[first:last]).max())
        groups: list[list[int]] = []
        for place, row in enumerate(order):
            if place == 0 or not math.isclose(values[row], values[order[place - 1]], rel_tol=1e-12, abs_tol=rounding):
                groups.append([])
            groups[-1].append(int(data.relevance[row]))
        yield groups


def _of_list(kind: str, groups: list[list[int]], k: int, convention: Convention) -> float:
    n_documents = sum(map(len, groups))
    if kind == "MAP":
        return _average_precision(groups)
    if kind == "NDCG":
        if convention != "standard" and n_documents < k:
            return 0.0
        best = _gained(
            [[label] for label in sorted(itertools.chain(*groups), reverse=True)], k, letor=convention != "standard"
        )
        return _gained(groups, k, letor=convention != "standard") / best if best > 0.0 else 0.0
    if convention == "letor3" and n_documents < k:
        return 0.0
    return (
        math.fsum(
            sum(label > 0 for label in labels) * sum(rank <= k for rank in ranks) / len(labels)
            for labels, ranks in _with_ranks(groups)
        )
        / k
    )


def _with_ranks(groups: list[list[int]]) -> Iterator[tuple[list[int], range]]:
    """The labels of tied documents, and the ranks that they share; each is equally often at each."""
    above = 0
    for labels in groups:
        yield labels, range(above + 1, above + len(labels) + 1)
        above += len(labels)


def _average_precision(groups: list[list[int]]) -> float:
    found, total = 0, 0.0
    for labels, ranks in _with_ranks(groups):
        n, relevant = len(labels), sum(label > 0 for label in labels)
        for rank in ranks:
            # That many of the others are relevant and before a relevant document at this rank, on average.
            others = (rank - ranks[0]) * (relevant - 1) / max(n - 1, 1)
            total += relevant / n * (found + 1 + others) / rank
        found += relevant
    return total / found if found else 0.0


def _gained(groups: list[list[int]], cutoff: int, *, letor: bool) -> float:
    def weight(rank: int) -> float:
        if rank > cutoff:
            return 0.0
        return 1.0 / (1.0 if rank <= 2 else math.log2(rank)) if letor else 1.0 / math.log2(rank + 1)

    return math.fsum(
        sum(2.0**label - 1.0 for label in labels) * sum(map(weight, ranks)) / len(labels)
        for labels, ranks in _with_ranks(groups)
    )
