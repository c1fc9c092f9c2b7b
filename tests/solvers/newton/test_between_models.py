"""Where the loss is a quadratic, the models between two ends are known without another look at it."""

from __future__ import annotations

import numpy as np
import pytest

from core.losses import LossAt
from core.solvers.newton.between_models import BetweenModels
from core.solvers.newton.sparse_quadratic import minimise_sparse_quadratic

RNG = np.random.default_rng(3)
ROWS = RNG.normal(size=(30, 6))
CURVATURE, TARGET = ROWS.T @ ROWS / 30, np.array([2.0, -1.0, 0.5, 0.0, 0.1, 0.0])
LARGEST, SMALLEST = 0.8, 0.1


def gradient(w: np.ndarray) -> np.ndarray:
    return CURVATURE @ (w - TARGET)


def model_at(lam: float) -> np.ndarray:
    zeros = np.zeros(6)
    return minimise_sparse_quadratic(CURVATURE, gradient(zeros), zeros, np.full(6, lam), 1e-13, zeros)


def loss_at(w: np.ndarray, columns: list[int], times: float = 1.0) -> LossAt:
    places = np.array(columns, dtype=np.int64)
    return LossAt(0.0, 0.0, 0.0, 0.0, 0.0, gradient(w), places, times * CURVATURE[np.ix_(places, places)])


@pytest.fixture
def between() -> BetweenModels:
    """The first end knows the curvature of three features only."""
    first, last = model_at(LARGEST), model_at(SMALLEST)
    assert 0 < np.count_nonzero(first) < np.count_nonzero(last) < 6
    return BetweenModels(first, loss_at(first, [0, 1, 2]), last, loss_at(last, [0, 1, 2, 3, 4, 5]))


@pytest.mark.parametrize("lam", [0.75, 0.4, 0.15])
def test_a_quadratic_has_the_predicted_models(between: BetweenModels, lam: float) -> None:
    share = (lam - SMALLEST) / (LARGEST - SMALLEST)
    found = between.predicted(share, np.full(6, lam), 1e-13)
    slope = gradient(found)
    away = np.where(found == 0.0, np.maximum(np.abs(slope) - lam, 0.0), np.abs(slope + lam * np.sign(found)))
    assert away.max() <= 1e-11


def test_one_correction_finds_the_model_of_a_quadratic_from_anywhere(between: BetweenModels) -> None:
    anywhere = RNG.normal(size=6)
    found = between.corrected(0.3, anywhere, gradient(anywhere), np.full(6, 0.4), 1e-13)
    np.testing.assert_allclose(found, model_at(0.4), atol=1e-11)


def test_at_the_first_end_the_first_model_is_predicted_whatever_the_curvature() -> None:
    first, last = model_at(LARGEST), model_at(SMALLEST)
    between = BetweenModels(first, loss_at(first, [0, 1]), last, loss_at(last, [0, 1, 2, 3, 4, 5], times=1.7))
    np.testing.assert_allclose(between.predicted(1.0, np.full(6, LARGEST), 1e-13), first, atol=1e-11)


def test_curvature_between_the_ends_stays_that_of_a_convex_loss() -> None:
    """The two ends' entries do not fit together: mixed as they are, they would curve downwards."""
    first, last = model_at(LARGEST), model_at(SMALLEST)
    at_first = loss_at(first, [0, 1, 2], times=1e-3)
    between = BetweenModels(first, at_first, last, loss_at(last, [0, 1, 2, 3, 4, 5]))
    mixed = CURVATURE.copy()
    mixed[:3, :3] = at_first.hessian
    assert np.linalg.eigvalsh(mixed)[0] < -0.01
    anywhere = np.ones(6)
    found = between.corrected(1.0, anywhere, gradient(anywhere), np.full(6, SMALLEST), 1e-9)
    assert np.abs(found).max() < 100.0
