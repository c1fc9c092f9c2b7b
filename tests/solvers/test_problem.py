"""The two products with X, in either precision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.testing import assert_allclose

from core.losses import SquaredHinge
from core.penalties import L1
from core.solvers import Problem, ProximalNewton, Stop, solve
from core.solvers.problem import AtZero
from tests.oracles import ranking_problem


def test_float32_features_are_used_in_double_precision() -> None:
    """More rows than one block: every one is counted, once."""
    rng = np.random.default_rng(0)
    short = rng.normal(size=(140_001, 2)).astype(np.float32)
    data = ranking_problem(n_features=2)
    problem = Problem(short, SquaredHinge.of(data), L1(), 0.1)
    w, g = np.array([0.1, -1.3]), rng.normal(size=len(short))
    exact = short.astype(np.float64)
    assert_allclose(problem.scores(w), exact @ w, rtol=1e-13, atol=1e-14)
    assert_allclose(problem.pull_back(g), exact.T @ g, rtol=1e-11)


def test_a_fit_of_float32_features_is_that_of_their_values() -> None:
    data = ranking_problem()
    short = data.features.astype(np.float32)
    fits = [
        solve(ProximalNewton(), Problem(x, SquaredHinge.of(data), L1(), 0.02), Stop(tol=1e-10))
        for x in (short, short.astype(np.float64))
    ]
    assert fits[0].stop == "converged"
    assert_allclose(fits[0].objective, fits[1].objective, rtol=1e-10)
    assert_allclose(fits[0].weights, fits[1].weights, atol=1e-5)


def test_what_is_known_at_zero_is_of_its_own_features_and_loss_only() -> None:
    data, other = ranking_problem(), ranking_problem(seed=1)
    loss, none, zero = SquaredHinge.of(data), np.empty(0, dtype=np.int64), np.zeros(data.n_features)
    known = AtZero.of(data.features, loss)
    problem = Problem(data.features, loss, L1(), 0.02, known)
    assert problem.at(zero, none) is known.found
    fresh = loss.at(data.features, zero, none)
    for name in ("value", "dual_slope", "dual_curvature", "dual_limit", "answer", "gradient"):
        assert_allclose(getattr(known.found, name), getattr(fresh, name), rtol=1e-12, atol=1e-15, err_msg=name)
    assert_allclose(replace(problem, features=2 * data.features).at(zero, none).gradient, 2 * fresh.gradient)
    there = SquaredHinge.of(other)
    assert_allclose(replace(problem, loss=there).at(zero, none).gradient, there.at(data.features, zero, none).gradient)
    assert problem.at(zero, np.array([0, 2])).hessian.shape == (2, 2)
    w = np.full(data.n_features, 0.1)
    assert_allclose(problem.at(w, none).gradient, loss.at(data.features, w, none).gradient)
    assert problem.counter.passes == 5
