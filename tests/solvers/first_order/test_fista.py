"""FISTA ends also where nothing is left to gain."""

from __future__ import annotations

import numpy as np

from core.losses import SquaredHinge
from core.penalties import WeightedL1
from core.solvers import Fista, Problem, Stop, solve
from tests.oracles import ranking_problem


def test_backtracking_ends_where_the_loss_is_0_and_no_weight_moves() -> None:
    """Three features without a price win every pair but for rounding, and no step makes the loss fall measurably."""
    data = ranking_problem(3, n_queries=2, n_documents=6, n_features=20)
    beta, start = np.ones(20), np.zeros(20)
    free = [1, 3, 6]
    beta[free], start[free] = 0.0, [-0.6652681175550206, 0.09969301515282228, -1.5226411789022314]
    problem = Problem(data.features, SquaredHinge.of(data), WeightedL1(beta), 0.27915262924574685)
    result = solve(Fista(), problem, Stop(tol=0.0, max_steps=1000), start)
    assert result.objective < 1e-25
    assert result.steps <= 1000
