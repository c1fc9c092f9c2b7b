"""Exact optimum of the infinite push with any top share, certified by a duality gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.losses import InfinitePush
from core.losses.base import IntArray
from core.losses.infinite_push import top_counts
from core.penalties import FeatureWeighted, Signed, WeightedL1
from core.penalties.base import DualRay
from core.penalties.by_feature import is_ridge
from core.solvers.base import Certificate, Iterate
from core.solvers.infinite_push.barriers import L1Barrier, SmoothBarrier
from core.solvers.infinite_push.hinge_rows import HingeRows
from core.solvers.infinite_push.interior_point import CentralPoint, ScoreBarrier, follow_central_path
from core.solvers.infinite_push.top_share_barrier import BYTES_A_PAIR, TopShareBarrier
from core.solvers.problem import FloatArray, Problem

MOST_PAIRS = 10_000_000  # with a top share above 0
PASSES = 7.0  # passes of a step over a program's features: gradient, two right-hand sides, two moves, Gram matrix (2)
FEW_DOCUMENTS = 4000  # with at most so many documents a program takes all: leaving some out saves nothing
LARGEST_PART = 0.6  # a program of more than this share of the documents takes all of them
ROUGH = 1e-2  # accuracy of a sample's program, as a share of the objective: it only shows which negatives are on top
ENOUGH = 0.1  # a part is solved when its own gap is below this share of the whole gap: then only more documents help
WIDE = 400  # a program of more features than this, and than documents, begins with as many features as documents
BEGUN = 1.0  # features may join once the remaining sum is below this, the empty model's objective
CLOSE = 1e-6  # remaining sum below which the steps of such a program need the more accurate of the two matrices
STEEP = 0.8  # a feature joins where its slope exceeds this share of its price in the penalty
NO_GAIN = 1e-14  # an objective lower than the empty model's by at most this share differs by rounding only
ROUNDING = 1e-9  # a gradient below this share of the largest possible one is rounding


FEWEST = 50  # negatives of a query in the sample, and beyond the top ones later
SAMPLE = 0.125  # of a query's negatives
MARGIN = 0.05  # of a query's negatives beyond the top ones


class Candidates:
    """Selects rows of documents: all positives of the queries in the loss, and some of their negatives.

    A negative that is not among the top ones at the optimum has multiplier 0 there, so the program without it has the
    same optimum. A program without some negatives bounds the whole program from below.

    Attributes
    ----------
    everything : ndarray of int
        Rows of all documents of the queries in the loss, ascending.
    top : ndarray, shape (n_queries,)
        k, the number of top negatives of every query in the loss.
    """

    def __init__(self, loss: InfinitePush) -> None:
        groups = loss.groups
        bounds = groups.group_start
        self._positives = np.concatenate(
            [groups.order[bounds[g] : bounds[g + 1]] for g in range(0, len(bounds) - 1, 2)]
        )
        self._negatives = [groups.order[bounds[g] : bounds[g + 1]] for g in range(1, len(bounds) - 1, 2)]
        self.everything: IntArray = np.sort(groups.order)
        self.top: FloatArray = loss.top

    def sample(self) -> IntArray:
        """Return the positives and, evenly spaced in file order, a sample of the negatives."""
        return self._rows(
            negatives[np.linspace(0, len(negatives), count, endpoint=False, dtype=np.int64)]
            for negatives in self._negatives
            for count in [min(len(negatives), max(FEWEST, int(SAMPLE * len(negatives))))]
        )

    def near_the_top(self, scores: FloatArray) -> IntArray:
        """Return the positives, the top negatives at these scores, and some negatives below them.

        ``scores`` has shape (n_documents,).
        """
        chosen = []
        for negatives, k in zip(self._negatives, self.top, strict=True):
            count = int(np.ceil(k) + max(FEWEST, np.ceil(MARGIN * len(negatives))))
            if count < len(negatives):
                last = len(negatives) - count
                chosen.append(negatives[np.argpartition(scores[negatives], last)[last:]])
            else:
                chosen.append(negatives)
        return self._rows(chosen)

    def lacking(self, rows: IntArray, scores: FloatArray) -> bool:
        """Tell whether a top negative at these scores, shape (n_documents,), is missing in ``rows`` (ascending)."""
        for negatives, k in zip(self._negatives, self.top, strict=True):
            last = len(negatives) - int(np.ceil(k))
            top = negatives[np.argpartition(scores[negatives], last)[last:]]
            if not np.isin(top, rows).all():
                return True
        return False

    def _rows(self, negatives: Iterator[IntArray] | list[IntArray]) -> IntArray:
        rows: IntArray = np.sort(np.concatenate([self._positives, *negatives]))
        return rows


@dataclass(frozen=True)
class ExactPush:
    """Solves the infinite push with a (weighted) l1 or an l2 penalty by a primal-dual interior-point method (ours).

    The infinite push itself (top share 0) is a program with one row a document. With a top share above 0 every pair has
    a multiplier, but no row of features.

    A smaller program is cheaper, so only some documents and features enter at first. Of long lists, the negatives near
    the top at the start enter; from zero, a sample is solved first to find them. More negatives enter where a top one
    is missing. Of many features, those with the steepest slopes at the start enter; others join when the dual point
    shows that they may be worth their price. The start has no other influence, because an interior-point method cannot
    be warm-started.

    Every iterate is a model of the whole problem: weights that tend to 0 are set to 0, the objective is computed over
    all documents and the bound over all features. The solver returns the best model so far, which may be the empty one:
    where the empty model is optimal, the path ends near it, at weights that mean nothing.
    """

    id: ClassVar[str] = "interior-point"
    title: ClassVar[str] = "interior point (exact)"
    explanation: ClassVar[str] = (
        "Solves the whole problem as one linear or quadratic program by an interior-point method. It takes 10 to 40 "
        "steps to any duality gap, and each step costs about one weighted Gram matrix of the features."
    )

    def accepts(self, problem: Problem) -> str | None:
        loss, penalty = problem.loss, problem.penalty
        if not isinstance(loss, InfinitePush):
            return "this interior-point method is for the infinite push"
        kind = penalty.penalty if isinstance(penalty, Signed) else penalty
        kind = kind.penalty if isinstance(kind, FeatureWeighted) else kind
        if not (isinstance(kind, WeightedL1) or is_ridge(kind)):
            return "this interior-point method is for the ℓ1 and ℓ2 penalties; use reweighting for others"
        if loss.top_share > 0.0 and loss.n_pairs > MOST_PAIRS:
            size = f"{loss.n_pairs:,} pairs, {loss.n_pairs * BYTES_A_PAIR / 1e9:,.1f} GB"
            return f"a top share above 0 needs {size} in memory; use fewer documents, or top share 0"
        return None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        assert isinstance(problem.loss, InfinitePush)
        candidates = Candidates(problem.loss)
        w, bound, passes, step = start, 0.0, 1.0, 0  # the loss is nowhere below 0
        scores, objective = _at(problem, start)
        at_zero = problem.loss.evaluate(np.zeros_like(scores)).value
        rows = everything = candidates.everything
        near = candidates.near_the_top(scores)
        largest = LARGEST_PART * len(everything)
        sampling = False
        if len(everything) > FEW_DOCUMENTS and len(near) <= largest:
            sampling = not start.any()  # no one is near the top yet
            rows = candidates.sample() if sampling else near
        part = True
        while part:
            part = len(rows) < len(everything)
            program = _Program(problem, rows, None if sampling else candidates.top, w)
            for point in program.points():
                if step == 1 and at_zero <= objective:
                    w, objective = np.zeros(problem.n_features), at_zero
                if step > 0:
                    trial = program.weights(point, objective)
                    scores, value = _at(problem, trial)
                    if value < objective - (0.0 if w.any() else NO_GAIN * objective):
                        w, objective = trial, value
                if program.bounds:
                    bound = max(bound, program.lower_bound(point))
                certificate = Certificate.of_bound(objective, bound, problem.penalty.among)
                yield Iterate(step, w, objective, certificate, passes, hidden=(point.remaining,))
                step += 1
                passes += program.passes
                if not part or point.remaining > (ROUGH * objective if sampling else ENOUGH * certificate.value):
                    continue
                if sampling or candidates.lacking(rows, scores):
                    break
            near = candidates.near_the_top(scores)
            more = near if sampling else np.union1d(rows, near)
            rows = more if len(rows) != len(more) <= largest else everything
            sampling = False


class _Program:
    """A part of a problem, as barriers: some documents of every query in the loss, some of the features allowed.

    Parameters
    ----------
    rows : ndarray of int
        Rows of the documents, ascending; every query in the loss has positives and negatives among them.
    top : ndarray, shape (n_queries,), or None
        k of every query. If None, k is the top share of the negatives in the program, and the program's dual value is
        no bound for the whole problem.
    start : ndarray, shape (n_features,)
        Weights. If there are many features, the program begins with the non-zero ones and those with the steepest
        slopes there.
    """

    def __init__(self, problem: Problem, rows: IntArray, top: FloatArray | None, start: FloatArray) -> None:
        loss, penalty, features = problem.loss, problem.penalty, problem.features
        assert isinstance(loss, InfinitePush)
        self._whole = problem
        self.bounds = top is not None or loss.top_share == 0.0
        kappa = problem.lam * penalty.weights(np.zeros(problem.n_features))
        self._allowed = np.arange(problem.n_features) if is_ridge(penalty) else np.flatnonzero(np.isfinite(kappa))
        self._kappa, self._signs = kappa[self._allowed], penalty.signs(problem.n_features)[self._allowed]
        if len(rows) < len(features):
            features = features[rows]
        if len(self._allowed) < problem.n_features:
            features = np.ascontiguousarray(features[:, self._allowed])
        self._all_columns = self._problem = replace(problem, features=features)
        self._columns = np.arange(len(self._allowed))  # the program's features, as positions among those allowed
        self._close = np.inf
        self._gradient = np.zeros(len(self._allowed))
        positive = loss.positive[rows]
        starts = np.flatnonzero(np.diff(np.searchsorted(loss.query_offsets, rows, side="right"), prepend=-1))
        if top is None:
            top = top_counts(loss.top_share, np.add.reduceat(~positive, starts, dtype=np.int64))
        self._loss: ScoreBarrier = (
            HingeRows.infinite_push(positive, starts)
            if loss.top_share == 0.0
            else TopShareBarrier(positive, starts, top)
        )
        self._penalty: SmoothBarrier | L1Barrier
        if is_ridge(penalty):
            self._penalty = SmoothBarrier(problem.lam * penalty.curvature(np.ones(problem.n_features)))
        else:
            if len(self._allowed) > max(WIDE, len(rows)):
                self._columns = self._steepest(start)
                self._problem = self._of_columns()
                self._close = CLOSE
            self._penalty = L1Barrier(self._kappa[self._columns], self._signs[self._columns], product=1.0 / len(rows))

    @property
    def passes(self) -> float:
        """Passes over X of one step: for the objective, the gradient of all features, and the program's features."""
        inside, rows = self._problem.features, self._all_columns.features
        return 1.0 + (rows.size + PASSES * inside.size) / self._whole.features.size

    def points(self) -> Iterator[CentralPoint]:
        """Yield the points of the central path; when features join, the path goes on with them."""
        path = self._path()
        while (point := next(path, None)) is not None:
            self._gradient = self._all_columns.pull_back(point.score_gradient)
            yield point
            if point.remaining <= BEGUN and len(joining := self._joining()) > 0:
                assert isinstance(self._penalty, L1Barrier)
                self._penalty.join(self._kappa[joining], self._signs[joining], self._gradient[joining])
                self._columns = np.concatenate([self._columns, joining])
                self._problem = self._of_columns()
                path = self._path()
                next(path)  # the point just seen

    def _path(self) -> Iterator[CentralPoint]:
        return follow_central_path(self._problem, self._loss, self._penalty, close=self._close)

    def _of_columns(self) -> Problem:
        return replace(self._problem, features=np.take(self._all_columns.features, self._columns, axis=1))

    def _steepest(self, start: FloatArray) -> IntArray:
        """Select as many features as there are rows: free and non-zero ones, then by slope relative to price."""
        whole = self._whole
        gradient = whole.pull_back(whole.loss.evaluate(whole.scores(start)).gradient)[self._allowed]
        wanted = (self._kappa == 0.0) | (start[self._allowed] != 0.0)
        steepness = np.divide(np.abs(gradient), self._kappa, where=~wanted, out=np.full(len(wanted), np.inf))
        return _largest(steepness, max(len(self._problem.features), int(wanted.sum())))

    def _joining(self) -> IntArray:
        """Select the features outside whose slope comes near their price, at most as many as there are rows."""
        if len(self._columns) == len(self._allowed):
            return self._columns[:0]
        steepness = np.abs(self._gradient)
        steepness[self._columns] = 0.0
        found = np.flatnonzero(steepness > STEEP * self._kappa)
        return found[_largest(steepness[found] / self._kappa[found], len(self._problem.features))]

    def weights(self, point: CentralPoint, objective: float) -> FloatArray:
        """Return the weights of all features, shape (n_features,); those that tend to 0 are 0."""
        w = np.zeros(self._whole.n_features)
        nonzero = self._penalty.nonzero(objective) if isinstance(self._penalty, L1Barrier) else True
        w[self._allowed[self._columns]] = np.where(nonzero, point.weights, 0.0)
        w[self._whole.penalty.signs(len(w)) * w < 0.0] = 0.0  # by rounding
        return w

    def lower_bound(self, point: CentralPoint) -> float:
        """Return a lower bound of the optimum from this point's dual point; minus infinity if it gives none."""
        penalty, lam = self._whole.penalty, self._whole.lam
        gradient = np.zeros(self._whole.n_features)
        gradient[self._allowed] = self._gradient
        free = np.flatnonzero(self._kappa == 0.0)
        if not is_ridge(penalty) and len(free) > 0:  # these need gradient 0, which they reach but for rounding
            reach = np.abs(self._all_columns.features[:, free]).max(axis=0) * np.abs(point.score_gradient).sum()
            gradient[self._allowed[free[np.abs(self._gradient[free]) <= ROUNDING * reach]]] = 0.0
        bound = penalty.dual_bound(DualRay(point.dual_value, 0.0, 1.0), gradient, lam)
        return -np.inf if bound is None else bound


def _largest(values: FloatArray, count: int) -> IntArray:
    """Return the positions of the largest values, at most ``count``."""
    return np.argsort(-values, kind="stable")[:count]


def _at(problem: Problem, w: FloatArray) -> tuple[FloatArray, float]:
    """Return scores and objective at these weights."""
    scores = problem.scores(w)
    return scores, problem.loss.evaluate(scores).value + problem.lam * problem.penalty.value(w)
