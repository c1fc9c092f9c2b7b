"""A quadratic plus weighted l1 is minimised however flat: by its optimality conditions and by a linear program."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.optimize import linprog

from core.solvers.newton.sparse_quadratic import minimise_sparse_quadratic

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("threshold", [1.0, 1e-3, 1e-9])
@pytest.mark.parametrize("rank", [2, 5, 8])
def test_no_coordinate_can_lower_it(rank: int, threshold: float) -> None:
    """Distance of 0 from the subdifferential, written out; with rank below 8 the quadratic is flat in places."""
    rows = RNG.normal(size=(rank, 8))
    hessian, target = rows.T @ rows, RNG.normal(size=8)
    start, prices = RNG.normal(size=8), threshold * RNG.uniform(0.5, 2.0, 8)
    u = minimise_sparse_quadratic(hessian, hessian @ (start - target), start, prices, 1e-6 * threshold, np.zeros(8))
    slope = hessian @ (u - target)
    away = np.where(u == 0.0, np.maximum(np.abs(slope) - prices, 0.0), np.abs(slope + np.sign(u) * prices))
    assert away.max() <= 1e-4 * threshold + 1e-12


def test_where_only_the_price_decides_it_ends_where_a_linear_program_ends() -> None:
    """With a tiny price: of the minima of the quadratic that of the smallest l1 norm."""
    rows, start = RNG.normal(size=(3, 6)), RNG.normal(size=6)
    right = rows @ RNG.normal(size=6)
    u = minimise_sparse_quadratic(
        rows.T @ rows, rows.T @ (rows @ start - right), start, np.full(6, 1e-8), 1e-14, np.zeros(6)
    )
    shortest = linprog(np.ones(12), A_eq=np.hstack([rows, -rows]), b_eq=right, bounds=(0, None))
    assert np.abs(u).sum() == pytest.approx(shortest.fun, rel=1e-5)
    assert np.count_nonzero(u) <= 3


def test_a_quadratic_without_curvature_leaves_nothing() -> None:
    assert_array_equal(
        minimise_sparse_quadratic(
            np.zeros((3, 3)), np.zeros(3), np.array([1.0, -2.0, 0.0]), np.ones(3), 1e-9, np.zeros(3)
        ),
        0.0,
    )


@pytest.mark.parametrize("threshold", [1.0, 1e-3, 1e-9])
@pytest.mark.parametrize("rank", [2, 5, 8])
def test_with_signs_no_coordinate_can_lower_it_on_its_side(rank: int, threshold: float) -> None:
    rows = RNG.normal(size=(rank, 8))
    hessian, target = rows.T @ rows, RNG.normal(size=8)
    signs = RNG.integers(-1, 2, 8).astype(np.float64)
    start = RNG.normal(size=8)
    start[signs * start < 0.0] = 0.0
    prices = threshold * RNG.uniform(0.5, 2.0, 8)
    u = minimise_sparse_quadratic(hessian, hessian @ (start - target), start, prices, 1e-6 * threshold, signs)
    assert np.all(signs * u >= 0.0)
    slope = hessian @ (u - target)
    steep = np.where(signs == 0.0, np.abs(slope), np.maximum(-signs * slope, 0.0))  # towards where it may go
    away = np.where(u == 0.0, np.maximum(steep - prices, 0.0), np.abs(slope + np.sign(u) * prices))
    assert away.max() <= 1e-4 * threshold + 1e-12
