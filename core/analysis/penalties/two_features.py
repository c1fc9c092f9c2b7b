"""Ranking by two features: a problem small enough to draw its whole objective, with the usual loss and methods.

Both features are divided by their deviation within queries, so that a weight means the same on both axes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.path import without_trace
from core.data import DataError, RankingData
from core.data.division import query_order
from core.losses import SquaredHinge
from core.methods import Fit, Method, Training
from core.methods.training import RANKSVM_LOSS, FloatArray
from core.penalties import L1, Penalty
from core.solvers import ProximalNewton, Stop, solve

MOST_DOCUMENTS = 4_000  # a map takes some thousand sweeps over them, a trajectory as many
SAME_FEATURE = 0.9999  # two features so correlated are one feature written twice
GRID = 56
SMALLEST_RATIO = 1e-3
ACCURACY = Stop(tol=1e-6, max_steps=40)
RATIOS = tuple(float(f"{10.0 ** (-k / 10):.2g}") for k in range(31))
"""Shares of lambda_max at which minima are followed."""


@dataclass(frozen=True, eq=False)
class Map:
    """The loss over a rectangle of weights.

    Attributes
    ----------
    first, second : ndarray
        Ascending weights of the first and the second feature; both contain 0, where penalties have kinks.
    loss : ndarray, shape (len(second), len(first))
    """

    first: FloatArray
    second: FloatArray
    loss: FloatArray

    def objective(self, penalty: Penalty, lam: float) -> FloatArray:
        """Compute F = loss + lam * Omega at every point, shaped like ``loss``."""
        return self.loss + lam * _omega(penalty, *np.meshgrid(self.first, self.second))


def redundant_pair(seed: int = 3) -> RankingData:
    """Generate forty queries whose two features are noisy copies of one quality; the first is a little better."""
    rng = np.random.default_rng(seed)
    n_queries, n_documents = 40, 12
    quality = rng.normal(size=n_queries * n_documents)
    noise = rng.normal(size=(2, quality.size)) * [[0.45], [0.50]]
    liking = quality + 0.6 * rng.normal(size=quality.size)
    return RankingData.build(
        (quality + noise).T,
        (liking > 0.3).astype(int) + (liking > 1.2),
        np.arange(0, quality.size + 1, n_documents),
        feature_names=["copy A", "copy B"],
    )


def varying_features(data: RankingData) -> NDArray[np.int64]:
    """Return the columns (from 0) that differ between documents of some query; the others cannot rank."""
    return np.flatnonzero(_within_queries(data).any(axis=0))


def telling_pair(data: RankingData) -> tuple[int, int]:
    """Choose a strong feature and a strong one similar to it, a pair for which penalties differ; columns from 0.

    The first has the largest gradient of the loss at 0, in units of its deviation. The second has the largest product
    of its own gradient and its correlation with the first.

    Raises a `DataError` if fewer than two features vary within queries.
    """
    columns = varying_features(data)
    if len(columns) < 2:
        msg = f"a picture of two features needs two that vary within queries; here are {len(columns)}"
        raise DataError(msg)
    centred = _within_queries(data)[:, columns]
    scaled = centred / np.sqrt((centred**2).mean(axis=0))
    strength = np.abs(scaled.T @ SquaredHinge.of(data).evaluate(np.zeros(data.n_documents)).gradient)
    first = int(strength.argmax())
    correlation = np.abs(scaled.T @ scaled[:, first]) / data.n_documents
    fitness = np.where(correlation < SAME_FEATURE, strength * correlation, -1.0)
    fitness[first] = -2.0  # below its duplicates, which are taken where there is nothing else
    return int(columns[first]), int(columns[int(fitness.argmax())])


def two_feature_training(data: RankingData, columns: tuple[int, int]) -> Training:
    """Make training data of two columns of the data, each divided by its deviation within queries.

    Large data is represented by a random choice of its queries, about `MOST_DOCUMENTS` documents.

    Raises a `DataError` if a column does not vary, neither helps on average, or there are no preference pairs.
    """
    sample = data.with_features(data.features[:, list(columns)], [data.feature_names[j] for j in columns])
    if data.n_documents > MOST_DOCUMENTS:
        order = np.random.default_rng(0).permutation(query_order(data))
        enough = int(np.searchsorted(np.cumsum(np.diff(data.query_offsets)[order]), MOST_DOCUMENTS)) + 1
        sample = sample.take_queries(np.sort(order[:enough]))
    deviation = np.sqrt((_within_queries(sample) ** 2).mean(axis=0))
    if not deviation.all():
        msg = f"{sample.feature_names[int(deviation.argmin())]} is the same for all documents of every query"
        raise DataError(msg)
    sample = sample.with_features(sample.features / deviation)
    training = Training(sample, SquaredHinge.of(sample), RANKSVM_LOSS)
    training.lam_at(1.0)  # raises where neither feature helps
    return training


def loss_map(training: Training, points: int = GRID) -> Map:
    """Compute the loss over a square that contains 0, both single-feature minimisers and (nearly) the joint one."""
    unshrunk = _l1_minimiser(training, SMALLEST_RATIO)
    corners = np.array([np.zeros(2), unshrunk, *single_minimisers(training)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    centre, half = (low + high) / 2.0, 0.8 * float((high - low).max())
    first, second = (np.union1d(np.linspace(middle - half, middle + half, points), [0.0]) for middle in centre.tolist())
    features, loss = training.data.features, training.loss
    values = [[loss.evaluate(features @ np.array([a, b])).value for a in first] for b in second]
    return Map(first, second, np.array(values))


def single_minimisers(training: Training) -> tuple[FloatArray, FloatArray]:
    """Return the weights of the models with the first feature only and with the second only, hardly shrunk."""
    data = training.data
    alone = []
    for column in (0, 1):
        masked = data.with_features(data.features * (np.arange(2) == column))
        alone.append(_l1_minimiser(Training(masked, training.loss, training.recipe), SMALLEST_RATIO))
    return alone[0], alone[1]


def telling_starts(training: Training) -> tuple[FloatArray, ...]:
    """Return starts that together lead to the minima of a two-feature problem.

    These are zero, where every fit of the app starts; the loss's minimisers of both features and of either alone; the
    point halfway to the first of them; and a point beside zero, for the empty model, which a fit from zero itself
    leaves in its round of plain l1.
    """
    unshrunk = _l1_minimiser(training, SMALLEST_RATIO)
    return np.zeros(2), unshrunk, *single_minimisers(training), 0.5 * unshrunk, 1e-6 * unshrunk + 1e-9


def minima(
    method: Method, training: Training, lam: float, parameters: Mapping[str, float], starts: Sequence[FloatArray]
) -> tuple[Fit, ...]:
    """Return the different local minima that fits from these starts reach, lowest objective first."""
    found: list[Fit] = []
    for start in starts[:1] if method.convex else starts:
        end = method.fit(training, lam, parameters=parameters, stop=ACCURACY, start=start)
        if not any(np.allclose(end.weights, fit.weights, atol=1e-4) for fit in found):
            found.append(without_trace(end))
    return tuple(sorted(found, key=lambda fit: fit.result.objective))


def trajectory(
    method: Method, training: Training, parameters: Mapping[str, float], ratios: Sequence[float]
) -> tuple[tuple[Fit, ...], ...]:
    """Return the minima at every share of lambda_max, as by `minima`."""
    starts = telling_starts(training)
    return tuple(minima(method, training, training.lam_at(ratio), parameters, starts) for ratio in ratios)


def level_set(penalty: Penalty, value: float, reach: float) -> tuple[FloatArray, FloatArray]:
    """Compute the curve Omega(w) = value around 0: the boundary of the penalty's ball.

    Parameters
    ----------
    value : float
        Above 0.
    reach : float
        Largest distance from 0; where the curve is farther, or the penalty never reaches the value, it is NaN.

    Returns
    -------
    first, second : ndarray, shape (n_points,)
    """
    # Dense near the axes, where the balls of concave penalties have their spikes.
    half = 0.25 * np.pi * np.linspace(0.0, 1.0, 90) ** 3
    angle = np.concatenate([half, 0.5 * np.pi - half[-2::-1]])
    across, up = np.cos(angle), np.sin(angle)
    up[0] = across[-1] = 0.0  # exactly on the axes

    low, high = np.zeros(len(angle)), np.full(len(angle), reach)
    outside = _omega(penalty, high * across, high * up) < value
    for _ in range(60):
        middle = 0.5 * (low + high)
        below = _omega(penalty, middle * across, middle * up) < value
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    radius = np.where(outside, np.nan, high)
    x, y = radius * across, radius * up
    return (
        np.concatenate([x, -x[::-1], -x, x[::-1]]),
        np.concatenate([y, y[::-1], -y, -y[::-1]]),
    )


def _omega(penalty: Penalty, first: FloatArray, second: FloatArray) -> FloatArray:
    return penalty.curve(np.abs(np.stack([first, second], axis=-1))).sum(axis=-1)  # type: ignore[no-any-return]


def _l1_minimiser(training: Training, ratio: float) -> FloatArray:
    if training.lam_max == 0.0:
        return np.zeros(training.data.n_features)
    problem = training.problem(L1(), training.lam_at(ratio))
    return solve(ProximalNewton(), problem, ACCURACY).weights


def _within_queries(data: RankingData) -> FloatArray:
    """Subtract the query's mean from features; 0 where constant in the query; shape (n_documents, n_features)."""
    starts, sizes = data.query_offsets[:-1], np.diff(data.query_offsets)
    features = data.features.astype(np.float64, copy=False)
    mean = np.add.reduceat(features, starts, axis=0) / sizes[:, None]
    constant = np.maximum.reduceat(features, starts, axis=0) == np.minimum.reduceat(features, starts, axis=0)
    of = data.query_of_document
    centred: FloatArray = np.where(constant[of], 0.0, features - mean[of])
    return centred
