"""The problem that a solver minimises, and the only functions that read the features."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.data.column_ranges import in_units, offsets_between
from core.data.feature_blocks import blocks_of
from core.losses import Loss, LossAt, OnePassLoss, SmoothLoss
from core.losses.base import IntArray
from core.penalties import Penalty
from core.threads import over_chunks

FloatArray = NDArray[np.float64]


@dataclass
class PassCounter:
    """How often X has been read, for a problem and all that are made of it by `dataclasses.replace`."""

    passes: int = 0


@dataclass(frozen=True, eq=False)
class AtZero:
    """A loss with a gradient at w = 0, where lambda_max is found and fits start.

    Attributes
    ----------
    features : ndarray, shape (n_documents, n_features)
    found : LossAt
        Without a Hessian.
    """

    features: NDArray[np.floating]
    loss: Loss
    found: LossAt

    @classmethod
    def of(cls, features: NDArray[np.floating], loss: Loss) -> AtZero:
        """Evaluate it: all scores are 0, so one pass over X suffices for the gradient."""
        if isinstance(loss, OnePassLoss):
            zero = np.zeros(features.shape[1])
            return cls(features, loss, loss.at(features, zero, np.empty(0, dtype=np.int64)))
        at = loss.evaluate(np.zeros(features.shape[0]))
        found = LossAt(
            value=at.value,
            dual_slope=at.dual_slope,
            dual_curvature=at.dual_curvature,
            answer=0.0,
            score_slope=float(np.abs(at.gradient).sum()),
            gradient=pull_back(features, at.gradient),
            columns=np.empty(0, dtype=np.int64),
            hessian=np.zeros((0, 0)),
            dual_limit=at.dual_limit,
        )
        return cls(features, loss, found)


@dataclass(frozen=True, eq=False)
class Units:
    """Features in units that bring their ranges together: a problem with ranges of many sizes is solved in its own.

    A penalty keeps its meaning: with x' = x / unit a weight is w' = unit w, and pays what w pays. So the duality gap is
    that of the problem itself. A residual is measured per unit of w', which moves scores about as much in any feature.

    Parameters
    ----------
    powers : ndarray, shape (n_features,)
        The unit of each feature, a power of 2, so that dividing by it does not round.
    features : ndarray or FeatureBlocks, shape (n_documents, n_features)
        In these units, without the offsets that no pair sees.
    rounding : float
        See `WeightedL1`.
    """

    powers: FloatArray
    features: NDArray[np.floating]
    rounding: float


SLOPE_ROUNDING = 1e-13
"""Of the sum of the sizes of its terms: a slope that small is the rounding error of its own sum."""


def units_of(data: RankingData) -> Units | None:
    """Return units for data; None where the features' ranges are of about one size."""
    if data.is_even or not (ranges := data.ranges).is_wide:
        return None
    powers = ranges.units
    return Units(powers, in_units(data.features, data.query_offsets, powers), SLOPE_ROUNDING * 4.0 * ranges.typical)


def without_offsets(data: RankingData) -> NDArray[np.floating]:
    """Return the features without offsets within queries where these would cost digits; pairs see no difference."""
    if data.is_even or not data.ranges.has_offsets:
        return data.features
    return in_units(data.features, data.query_offsets, np.ones(data.n_features))


@dataclass(frozen=True, eq=False)
class Problem:
    """Minimise F(w) = loss(X w) + lam * penalty(w).

    Attributes
    ----------
    features : ndarray, shape (n_documents, n_features)
        X, an array or `FeatureBlocks`. Only the methods of this class read it, and each counts its pass.
    lam : float
        lambda > 0.
    at_zero : AtZero, optional
        Used for its own features and loss only, so that a problem made by `dataclasses.replace` may keep it.
    steepest : float
        Largest slope of the loss at w = 0, where it may be below lambda: in units of the solver's own a residual is a
        share of the smaller of the two.
    units : Units, optional
        In which a `SolverRun` solves it.
    """

    features: NDArray[np.floating]
    loss: Loss
    penalty: Penalty
    lam: float
    at_zero: AtZero | None = field(default=None, repr=False)
    units: Units | None = field(default=None, repr=False)
    counter: PassCounter = field(default_factory=PassCounter, repr=False)
    steepest: float = np.inf

    def __post_init__(self) -> None:
        if not (np.isfinite(self.lam) and self.lam > 0):
            msg = f"lambda must be a positive number, not {self.lam:g}"
            raise ValueError(msg)

    @cached_property
    def smooth_loss(self) -> SmoothLoss:
        """The loss as one with a second derivative, where `needs_curvature` says that it has one."""
        assert isinstance(self.loss, SmoothLoss), f"{type(self.loss).__name__} has no second derivative"
        return self.loss

    @cached_property
    def has_curvature(self) -> bool:
        """Whether the loss has a second derivative."""
        return isinstance(self.loss, SmoothLoss)

    @property
    def weight_units(self) -> FloatArray:
        """Factors that make weights comparable where features' ranges differ widely, else 1; shape (n_features,)."""
        return np.ones(self.n_features) if self.units is None else self.units.powers

    @property
    def n_features(self) -> int:
        """Number of features, d."""
        return int(self.features.shape[1])

    def scores(self, w: FloatArray) -> FloatArray:
        """Compute X w, shape (n_documents,): one pass over X."""
        self.counter.passes += 1
        return scores_of(self.features, w)

    def pull_back(self, score_gradient: FloatArray) -> FloatArray:
        """Compute X^T g, shape (n_features,): one pass over X."""
        self.counter.passes += 1
        return pull_back(self.features, score_gradient)

    def hessian(self, scores: FloatArray, columns: IntArray) -> FloatArray:
        """Compute the loss's second derivative in the weights of ``columns``: one pass over X."""
        self.counter.passes += 1
        return self.smooth_loss.hessian(scores, self.features, columns)

    def residual(self, w: FloatArray, gradient: FloatArray) -> float:
        """Return the largest distance of 0 from the subdifferential of F at w, where the loss has this gradient."""
        return float(self.penalty.distance_to_stationarity(w, gradient, self.lam).max(initial=0.0))

    @cached_property
    def at_once(self) -> bool:
        """Whether `at` reads X once for all that it finds: where X is larger than the processor's cache.

        It does not depend on where X is, so that a fit takes the same steps in memory, from the disk and on a cluster.
        """
        return isinstance(self.loss, OnePassLoss) and self.features.nbytes > CACHED_BYTES

    @property
    def one_pass_loss(self) -> OnePassLoss:
        """The loss as one that finds all about a point in one pass, where `at_once` says that it does."""
        assert isinstance(self.loss, OnePassLoss)
        return self.loss

    def at(self, w: FloatArray, columns: IntArray) -> LossAt:
        """Compute what a Newton step needs at w in one pass over X, by `one_pass_loss`.

        The pass that found `at_zero` counts where it is used.
        """
        loss, zero = self.one_pass_loss, self.at_zero
        self.counter.passes += 1
        if zero and zero.features is self.features and zero.loss is loss and not len(columns) and not w.any():
            return zero.found
        return loss.at(self.features, w, columns)

    def hessian_at_zero(self, columns: IntArray) -> FloatArray:
        """Estimate the Hessian of `at` at w = 0 for a first step; that counts as a pass, too."""
        self.counter.passes += 1
        return self.one_pass_loss.hessian_at_zero(self.features, columns)

    def at_each(self, weights: FloatArray) -> list[LossAt]:
        """Do as `at` for several models, shape (n_models, n_features), in one pass for all; without Hessians."""
        loss = self.one_pass_loss
        self.counter.passes += 1
        return loss.at_each(self.features, weights)


CACHED_BYTES = 1 << 24
"""X of this size or less stays in the processor's cache; there, passes cost less than curvature that no step needs."""

BLOCK_ENTRIES = 1 << 20


def scores_of(features: NDArray[np.floating], w: FloatArray) -> FloatArray:
    """Compute X w in float64, shape (n_documents,), block by block, so that a float32 X is never copied whole."""
    if (blocks := blocks_of(features)) is not None:
        return np.concatenate([*blocks.over(scores_of, lambda _, __: (w,))])
    parts = over_chunks(lambda first, last: _rows(features, first, last) @ w, _blocks(features))
    return np.concatenate(parts) if parts else np.zeros(0)


LOST = 1e6
"""An offset of so many times the spread of a query's scores costs digits that may decide its order."""


def pair_scores(data: RankingData, w: FloatArray) -> FloatArray:
    """Compute scores to rank by, shape (n_documents,): X w, less a number for every query where it would hide the rest.

    Pairs see differences within a query only. Where the terms of a document's score are a million times as large as the
    differences between documents, every feature is taken relative to the query's first document.
    """
    return _scores_within(data.features, data.query_offsets, w)


def _scores_within(features: NDArray[np.floating], offsets: IntArray, w: FloatArray) -> FloatArray:
    if (blocks := blocks_of(features)) is not None:
        return np.concatenate([*blocks.over(_scores_within, lambda a, b: (offsets_between(offsets, a, b), w))])
    scores, starts = scores_of(features, w), offsets[:-1]
    spread = np.maximum.reduceat(scores, starts) - np.minimum.reduceat(scores, starts)
    used = np.flatnonzero(w)
    terms = np.abs(features[np.ix_(starts, used)].astype(np.float64)) @ np.abs(w[used])
    for q in np.flatnonzero((terms > LOST * spread) & (np.diff(offsets) > 1)):
        rows = features[offsets[q] : offsets[q + 1]].astype(np.float64)
        scores[offsets[q] : offsets[q + 1]] = (rows - rows[0]) @ w
    return scores


def pull_back(features: NDArray[np.floating], score_gradient: FloatArray) -> FloatArray:
    """Compute X^T g in float64, shape (n_features,), block by block."""
    total = np.zeros(features.shape[1])
    if (blocks := blocks_of(features)) is not None:
        for part in blocks.over(pull_back, lambda first, last: (score_gradient[first:last],)):
            total += part
        return total
    for part in over_chunks(lambda a, b: _rows(features, a, b).T @ score_gradient[a:b], _blocks(features)):
        total += part
    return total


def _rows(features: NDArray[np.floating], first: int, last: int) -> FloatArray:
    """Return a block of X in float64."""
    block: FloatArray = features[first:last].astype(np.float64, copy=False)
    return block


def _blocks(features: NDArray[np.floating]) -> list[tuple[int, int]]:
    """Cut the rows into ranges large enough for a thread each."""
    n, width = features.shape
    rows = max(BLOCK_ENTRIES // max(width, 1), 1)
    return [(first, min(first + rows, n)) for first in range(0, n, rows)]


def needs_curvature(problem: Problem, who: str) -> str | None:
    """Return None, or one sentence that says why a solver with second derivatives cannot solve the problem."""
    return None if problem.has_curvature else f"{who} needs a smooth loss; this one has kinks"
