"""The exact optimum of the infinite push with any top share, with a duality gap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.losses import InfinitePush
from core.losses.base import IntArray
from core.losses.infinite_push import top_counts
from core.penalties import L2, FeatureWeighted, WeightedL1
from core.solvers.base import Certificate, FloatArray, Iterate, Problem
from core.solvers.candidates import Candidates
from core.solvers.hinge_rows import HingeRows
from core.solvers.interior_point import CentralPoint, ScoreBarrier, follow_central_path
from core.solvers.penalty_barriers import L1Barrier, SmoothBarrier
from core.solvers.top_share_barrier import BYTES_A_PAIR, TopShareBarrier

MOST_PAIRS = 10_000_000  # with a top share above 0
PASSES = 9.0  # over X a step: objective, bound, gradient, two right-hand sides and two moves, two for the Gram matrix
FEW_DOCUMENTS = 4000  # of which to leave some out does not pay
LARGEST_PART = 0.6  # of all documents, likewise
ROUGH = 1e-2  # of the objective: a sample's program, which only shows where the top is, need not be solved better
ENOUGH = 0.1  # of the whole gap: where a part's own gap is smaller, more documents help and further steps do not
ROUNDING = 1e-9  # of the largest gradient there could be


@dataclass(frozen=True)
class ExactPush:
    """Ours. For (weighted) l1 and l2, by a primal-dual interior-point method.

    The infinite push itself (top share 0) is a program with one row a document; with a top share every pair keeps a
    multiplier, but never a row of features. Of long lists only some negatives enter: those near the top at the start,
    or, from zero, at the optimum for a sample; where a top negative is lacking, more. Weights that the method sends to
    0 are 0 in every iterate, the objective of an iterate is that of its weights over all documents, and the best so
    far is kept. The start is of no other help: an interior point has to find its own way in.
    """

    id: ClassVar[str] = "interior-point"
    title: ClassVar[str] = "interior point (exact)"
    explanation: ClassVar[str] = (
        "The whole problem as one linear or quadratic program, solved from the inside: 10 to 40 steps, each as dear as "
        "one weighted Gram matrix of the features, down to a duality gap as small as asked for."
    )

    def accepts(self, problem: Problem) -> str | None:
        loss, penalty = problem.loss, problem.penalty
        if not isinstance(loss, InfinitePush):
            return "this interior-point method is for the infinite push"
        kind = penalty.penalty if isinstance(penalty, FeatureWeighted) else penalty
        if not isinstance(kind, WeightedL1 | L2):
            return "this interior-point method is for the ℓ1 and ℓ2 penalties; reweighting makes it fit for others"
        if loss.top_share > 0.0 and loss.n_pairs > MOST_PAIRS:
            size = f"{loss.n_pairs:,} pairs, {loss.n_pairs * BYTES_A_PAIR / 1e9:,.1f} GB"
            return f"a top share above 0 needs {size} in memory; take fewer documents, or top share 0"
        return None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        assert isinstance(problem.loss, InfinitePush)
        candidates = Candidates(problem.loss)
        w, bound, passes, step = start, 0.0, 1.0, 0  # the loss is nowhere below 0
        scores, objective = _at(problem, start)
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
            program = _Program(problem, rows, None if sampling else candidates.top)
            for point in program.points():
                if step > 0:
                    trial = program.weights(point, objective)
                    scores, value = _at(problem, trial)
                    if value < objective:
                        w, objective = trial, value
                if program.bounds:
                    bound = max(bound, program.lower_bound(point))
                gap = max(objective - bound, 0.0)
                certificate = Certificate("duality gap", gap, gap / objective if objective > 0.0 else 0.0)
                yield Iterate(step, w, objective, certificate, passes)
                step += 1
                passes += PASSES * program.share
                if not part or point.remaining > (ROUGH * objective if sampling else ENOUGH * gap):
                    continue
                if sampling or candidates.lacking(rows, scores):
                    break
            near = candidates.near_the_top(scores)
            more = near if sampling else np.union1d(rows, near)
            rows = more if len(rows) != len(more) <= largest else everything
            sampling = False


class _Program:
    """A part of a problem as barriers: some documents of every query that counts, the features not forbidden.

    Parameters
    ----------
    rows : ndarray of int
        Of the documents, rising; positives and negatives of every query that counts.
    top : ndarray, shape (n_queries,), or None
        k of every query; by default the share of the negatives that are there, and then the program bounds nothing.
    """

    def __init__(self, problem: Problem, rows: IntArray, top: FloatArray | None) -> None:
        loss, penalty, features = problem.loss, problem.penalty, problem.features
        assert isinstance(loss, InfinitePush)
        self._whole = problem
        self.share = len(rows) / len(features)
        self.bounds = top is not None or loss.top_share == 0.0
        self._kappa = problem.lam * penalty.weights(np.zeros(problem.n_features))
        self._columns = np.arange(problem.n_features) if isinstance(penalty, L2) else _finite(self._kappa)
        if len(rows) < len(features):
            features = features[rows]
        if len(self._columns) < problem.n_features:
            features = np.ascontiguousarray(features[:, self._columns])
        self._problem = replace(problem, features=features)
        positive = loss.positive[rows]
        starts = np.flatnonzero(np.diff(np.searchsorted(loss.query_offsets, rows, side="right"), prepend=-1))
        if top is None:
            top = top_counts(loss.top_share, np.add.reduceat(~positive, starts, dtype=np.int64))
        self._loss: ScoreBarrier = (
            HingeRows.infinite_push(positive, starts)
            if loss.top_share == 0.0
            else TopShareBarrier(positive, starts, top)
        )
        self._penalty: SmoothBarrier | L1Barrier = (
            SmoothBarrier(problem.lam, problem.n_features)
            if isinstance(penalty, L2)
            else L1Barrier(self._kappa[self._columns], product=1.0 / len(rows))
        )

    def points(self) -> Iterator[CentralPoint]:
        return follow_central_path(self._problem, self._loss, self._penalty)

    def weights(self, point: CentralPoint, objective: float) -> FloatArray:
        """Of all features, with those that go to 0 already there."""
        w = np.zeros(self._whole.n_features)
        if isinstance(self._penalty, L1Barrier):
            w[self._columns] = np.where(self._penalty.nonzero(objective), point.weights, 0.0)
        else:
            w[self._columns] = point.weights
        return w

    def lower_bound(self, point: CentralPoint) -> float:
        """Of the objective; minus infinity where the point gives none."""
        penalty, lam = self._whole.penalty, self._whole.lam
        gradient = np.zeros(self._whole.n_features)
        gradient[self._columns] = self._problem.pull_back(point.score_gradient)
        if not isinstance(penalty, L2):  # an unpenalised feature needs gradient 0, which it reaches but for rounding
            largest = float(np.abs(self._problem.features).max(initial=0.0) * np.abs(point.score_gradient).sum())
            gradient[(self._kappa == 0.0) & (np.abs(gradient) <= ROUNDING * largest)] = 0.0
        bound = penalty.dual_bound(point.dual_value, 0.0, gradient, lam, limit=1.0)
        return -np.inf if bound is None else bound


def _finite(kappa: FloatArray) -> IntArray:
    return np.flatnonzero(np.isfinite(kappa))


def _at(problem: Problem, w: FloatArray) -> tuple[FloatArray, float]:
    """Scores and objective."""
    scores = problem.scores(w)
    return scores, problem.loss.evaluate(scores).value + problem.lam * problem.penalty.value(w)
